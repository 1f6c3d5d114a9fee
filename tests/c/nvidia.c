/* cl_nv_device_attribute_query. `nvidia MAJOR MINOR`: the device has that compute capability; without: it is no GPU of NVIDIA's. */
#include "check.h"

enum { MAJOR = 0x4000, MINOR, REGISTERS, WARP, OVERLAP, TIMEOUT, INTEGRATED, ENGINES, BUS, SLOT, DOMAIN_ID };

static cl_device_id device;

static void is(cl_device_info name, cl_uint want) {
    cl_uint value = 12345;
    size_t size = 0;
    OK(clGetDeviceInfo(device, name, sizeof value, &value, &size));
    EXPECT(sizeof value, size);
    EXPECT(want, value);
    EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, name, sizeof value - 1, &value, NULL));
}

static void is_unknown(cl_device_info first, cl_device_info last) {
    cl_uint value;
    for (; first <= last; first++) EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, first, sizeof value, &value, NULL));
}

int main(int argc, char **argv) {
    static char extensions[1 << 16];
    OK(clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    EXPECT(argc > 1, strstr(extensions, "cl_nv_device_attribute_query") != NULL);
    EXPECT(argc > 1, strstr(extensions, "cl_nv_pragma_unroll") != NULL);
    if (argc < 3) {
        is_unknown(MAJOR, DOMAIN_ID);
        END;
    }
    is(MAJOR, atoi(argv[1]));
    is(MINOR, atoi(argv[2]));
    is(REGISTERS, 65536);
    is(WARP, 32);
    is(OVERLAP, CL_TRUE);
    cl_bool unified;
    OK(clGetDeviceInfo(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL));
    is(INTEGRATED, unified);
    is_unknown(TIMEOUT, TIMEOUT);
    is_unknown(ENGINES, ENGINES);
    cl_device_pci_bus_info_khr pci;
    if (strstr(extensions, "cl_khr_pci_bus_info")) {
        OK(clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof pci, &pci, NULL));
        is(BUS, pci.pci_bus);
        is(SLOT, pci.pci_device << 3 | pci.pci_function);
        is(DOMAIN_ID, pci.pci_domain);
    } else {
        is_unknown(BUS, DOMAIN_ID);
    }
    END;
}
