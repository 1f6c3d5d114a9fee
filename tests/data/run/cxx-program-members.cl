// options: -cl-std=CLC++2021
// run: kernel=k arg=zeros:i32:7
// expect: 0 i32:4,2,3,9,3,8,6

// Static members of class templates whose values stand outside of the class, of which one comes behind its use.
int count;
int note(int what)
{
    count++;
    return what;
}
template <class T> struct Traits {
    static int size;
    static const int two;
    static int table[3];
};
template <class T> int Traits<T>::size = note(sizeof(T));
template <class T> const int Traits<T>::two = 2;
template <class T> int Traits<T>::table[3] = {8, 7, 6};
template <class T> struct Late {
    static int value;
};
constant int fixed[Traits<char>::two + 1] = {1, 2, 3};

kernel void k(global int *out)
{
    out[0] = Traits<int>::size;
    out[1] = count;
    out[2] = Traits<char>::two + 1;
    out[3] = Late<int>::value;
    out[4] = sizeof(fixed) / sizeof(int);
    out[5] = Traits<int>::table[0];
    out[6] = Traits<int>::table[2];
}

template <class T> int Late<T>::value = note(9);
