// options: -cl-std=CLC++2021
// target: lavapipe
// A template that is an argument takes whatever arguments its parameter may be given.
template <class T> struct one {};
template <class T, class U> struct two {};
template <class T, class U = int> struct one_more {};
template <int N> struct number {};
template <class... T> struct pack {};
template <template <class> class X> struct inner {};
template <template <class> class X> struct use {};
template <template <class...> class X> struct use_pack {};
template <template <class, class> class X> struct use_two {};
template <template <int> class X> struct use_number {};
template <template <template <class> class> class X> struct use_inner {};
template <class T> using same = one<T>;
template <class T, class U> using other = one<T>;
use<one> a;
use<one_more> b;
use<pack> c;
use<same> d;
use<two> e; //~ 5 error: template template argument has different template parameters than its corresponding template template parameter
use<number> f; //~ 5 error: template template argument has different template parameters than its corresponding template template parameter
use<other> g; //~ 5 error: template template argument has different template parameters than its corresponding template template parameter
use_pack<two> h;
use_pack<one> i;
use_pack<number> j; //~ 10 error: template template argument has different template parameters than its corresponding template template parameter
use_two<pack> k;
use_two<one_more> l;
use_two<one> m; //~ 9 error: template template argument has different template parameters than its corresponding template template parameter
use_number<number> n;
use_number<one> o; //~ 12 error: template template argument has different template parameters than its corresponding template template parameter
use_inner<inner> p;
use_inner<use_two> q; //~ 11 error: template template argument has different template parameters than its corresponding template template parameter
template <template <class> class X> void takes() {} //~ 1 note: candidate function not viable
void calls()
{
    takes<one>();
    takes<two>(); //~ 5 error: no matching function for call to 'takes'
}
