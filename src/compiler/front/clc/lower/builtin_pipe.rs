//! Packets of pipes: found by functions of shaders/pipe.cl and copied here, where their type is known.

use super::builtin::BuiltinCall;
use super::function::FunctionLowering;
use crate::front::clc::builtins::implementation::Special;
use crate::front::clc::sema::types::TypeKind;
use crate::ir::{CmpOp, FuncId, Op, Space, Type, Value};

/// The file below shaders/.
const FILE: &str = "pipe";

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// The arguments are a pipe, perhaps a reservation and an index, and where the packet goes or comes from. 0, or -1 without a packet.
    pub fn pipe_builtin(&mut self, special: Special, call: &BuiltinCall<'u>) -> Value {
        let types = self.types();
        let kinds = (call.args.first(), call.args.last());
        let kinds = kinds.0.zip(kinds.1);
        let kinds = kinds.map(|(a, b)| (types.kind(a.ty), types.kind(b.ty)));
        let Some((&TypeKind::Pipe(packet, _), &TypeKind::Pointer(to))) = kinds else {
            return self.unknown_special(call);
        };
        let size = types.size(packet) as u32;
        let align = types.align(packet).min(types.align_of(to)) as u32;
        let (pipe, data) = (call.values[0], call.values[call.values.len() - 1]);
        let reads = matches!(special, Special::ReadPipe | Special::ReadPacket);
        let names = match reads {
            true => ["reserve_one_read", "commit_read", "has_packet_read"],
            false => ["reserve_one_write", "commit_write", "has_packet_write"],
        };
        let [reserve, commit, has_packet] = names.map(|name| self.pipe_function(name));
        let functions = [reserve, commit, has_packet, self.pipe_function("packet")];
        let [Some(reserve), Some(commit), Some(has_packet), Some(at)] = functions else {
            return self.b.undef(call.result());
        };
        let bytes = self.b.const_int(Type::I32, i64::from(size));
        let whole = matches!(special, Special::ReadPipe | Special::WritePipe);
        let (id, index, there) = match whole {
            true => {
                let id = self
                    .b
                    .insert1(Op::call(reserve, vec![pipe, bytes]), Type::I64);
                let none = self.b.zero_value(Type::I64);
                let there = self.b.compare(CmpOp::Ne, id, none);
                (id, self.b.zero_value(Type::I32), there)
            }
            false => {
                let (id, index) = (call.values[1], call.values[2]);
                let call = Op::call(has_packet, vec![pipe, id, index, bytes]);
                (id, index, self.b.insert1(call, Type::BOOL))
            }
        };
        let done = self.b.if_else(
            there,
            &[Type::I32],
            |b| {
                let call = Op::call(at, vec![pipe, id, index, bytes]);
                let place = b.insert1(call, Type::ptr(Space::Global));
                match reads {
                    true => b.copy(data, place, size, align),
                    false => b.copy(place, data, size, align),
                }
                if whole {
                    b.call(commit, vec![pipe, id], None);
                }
                vec![b.const_int(Type::I32, 0)]
            },
            |b| vec![b.const_int(Type::I32, -1)],
        );
        done[0]
    }

    fn pipe_function(&mut self, name: &str) -> Option<FuncId> {
        match self.unit.import_named(FILE, name) {
            Ok(Some(id)) => Some(id),
            Ok(None) => {
                self.defect("a function of pipes that the library lacks");
                None
            }
            Err(message) => {
                self.unit.sink.internal(message);
                None
            }
        }
    }
}
