// test: run
// run: kernel=search global=4 local=1 arg=zeros:i32:4
// expect: 0 i32:40,87,130,127

// Searches through more elements than drivers can follow levels of nesting, one behind the other. Values by hand: where
// the marked byte is, 20 more in the second search; 127 without any.
kernel void search(global int *out) {
    int item = get_global_id(0);
    uint words[32];
    uchar *bytes = (uchar *)words;
    for (int i = 0; i < 32; i++)
        words[i] = out[item];
    if (item == 0)
        bytes[40] = 1;
    if (item == 1)
        bytes[87] = 2;
    int found;
    for (found = 40; found < 127; found++)
        if (bytes[found])
            break;
    if (item == 2)
        bytes[110] = 3;
    if (found == 127)
        for (int i = 41; i < 125; i++)
            if (bytes[i] == 3) {
                found = i + 20;
                break;
            }
    out[item] = found;
}
