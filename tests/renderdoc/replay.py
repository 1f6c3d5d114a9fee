"""Replays the capture of capture.c: its launch has the kernel's source in OpenCL C, and gives its results again."""
import struct
import sys

import renderdoc

COUNT = 64


def dispatches(actions):
    for action in actions:
        if action.flags & renderdoc.ActionFlags.Dispatch:
            yield action
        yield from dispatches(action.children)


def has_results(controller):
    """Whether some buffer holds what the launch gives."""
    expected = [1.0 + 2 * i if i > 3 else 1.0 for i in range(COUNT)]
    wanted = struct.pack(f'{COUNT}f', *expected)
    return any(wanted in controller.GetBufferData(buffer.resourceId, 0, 0) for buffer in controller.GetBuffers())


renderdoc.InitialiseReplay(renderdoc.GlobalEnvironment(), [])
capture = renderdoc.OpenCaptureFile()
opened = capture.OpenFile(sys.argv[1], '', None)
assert opened.OK(), opened
opened, controller = capture.OpenCapture(renderdoc.ReplayOptions(), None)
assert opened.OK(), opened
launches = list(dispatches(controller.GetRootActions()))
assert len(launches) == 1, launches
controller.SetFrameEvent(launches[0].eventId, True)
state = controller.GetPipelineState()
shader = state.GetShaderReflection(renderdoc.ShaderStage.Compute)
assert shader.entryPoint == 'saxpy', shader.entryPoint
files = [(file.filename, file.contents) for file in shader.debugInfo.files]
assert len(files) == 1 and files[0][0] == '<source>', files
assert 'float product = a * x[i];' in files[0][1], files
assert has_results(controller), 'the launch has other results when it is replayed'
print('renderdoc: the source of', shader.entryPoint, 'has', len(files[0][1].splitlines()), 'lines; the replay gives its results')
controller.Shutdown()
capture.Shutdown()
renderdoc.ShutdownReplay()
