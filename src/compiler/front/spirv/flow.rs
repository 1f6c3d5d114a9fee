//! Facts about a function as a whole: the region of each block, the values that each edge gives to phis, and how often variables
//! are stored into.

use rspirv::spirv::Op;

use super::binary::Id;
use super::graph::Step;
use super::module::Func;
use super::structure::Item;
use rustc_hash::FxHashMap;

/// The region of each block and edge.
pub struct Regions {
    /// By region: the last region inside it. Regions inside it have the numbers from its own up to this one.
    ends: Vec<usize>,
    pub of_block: Vec<usize>,
    /// Block, place of its target, region.
    pub of_edge: Vec<(usize, usize, usize)>,
}

impl Regions {
    pub fn new(items: &[Item], blocks: usize) -> Regions {
        let mut regions = Regions {
            ends: vec![0],
            of_block: vec![0; blocks],
            of_edge: Vec::new(),
        };
        regions.walk(items, 0);
        regions
    }

    fn walk(&mut self, items: &[Item], region: usize) {
        for item in items {
            match item {
                Item::Step(Step::Block(block)) => self.of_block[*block] = region,
                Item::Edge(block, slot) => self.of_edge.push((*block, *slot, region)),
                Item::If(_, a, b) | Item::IfVar(_, _, a, b) => {
                    self.nested(a);
                    self.nested(b);
                }
                Item::Switch(_, cases) | Item::SwitchVar(_, cases) => {
                    cases.iter().for_each(|case| self.nested(case));
                }
                Item::Loop(body) => self.nested(body),
                _ => {}
            }
        }
    }

    fn nested(&mut self, items: &[Item]) {
        let region = self.ends.len();
        self.ends.push(region);
        self.walk(items, region);
        self.ends[region] = self.ends.len() - 1;
    }

    pub fn is_within(&self, inner: usize, outer: usize) -> bool {
        outer <= inner && (outer == 0 || inner <= self.ends[outer])
    }
}

/// The values that phis get from preceding blocks, by the indices of both blocks.
pub fn incoming(
    func: &Func,
    places: &FxHashMap<Id, usize>,
) -> FxHashMap<(usize, usize), Vec<(Id, Id)>> {
    let mut all: FxHashMap<(usize, usize), Vec<(Id, Id)>> = FxHashMap::default();
    for (to, block) in func.blocks.iter().enumerate() {
        for phi in block.insts.iter().filter(|inst| inst.op == Op::Phi) {
            for pair in phi.args.chunks_exact(2) {
                let Some(&from) = places.get(&pair[1]) else {
                    continue;
                };
                let list = all.entry((from, to)).or_default();
                // Of two edges from the same block the first counts.
                if list.last().is_none_or(|last| last.0 != phi.id) {
                    list.push((phi.id, pair[0]));
                }
            }
        }
    }
    all
}

/// How often each variable is stored into, and the value of the first store.
pub fn stores(func: &Func) -> FxHashMap<Id, (u32, Id)> {
    let mut all: FxHashMap<Id, (u32, Id)> = FxHashMap::default();
    let insts = func.blocks.iter().flat_map(|block| &block.insts);
    for inst in insts.filter(|inst| inst.op == Op::Store) {
        if let &[variable, value, ..] = inst.args {
            all.entry(variable).or_insert((0, value)).0 += 1;
        }
    }
    all
}
