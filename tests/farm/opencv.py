"""Calls OpenCV's functions on UMat, so that it builds their OpenCL programs. What they compute is not looked at."""
import cv2
import numpy as np

U8, U16, F32 = np.uint8, np.uint16, np.float32
random = np.random.default_rng(1)


def mat(kind, channels=1, size=(96, 128)):
    shape = size if channels == 1 else (*size, channels)
    return cv2.UMat((random.random(shape) * 200).astype(kind))


def eye(rows, columns):
    return np.eye(rows, columns, dtype=F32)


def arithmetic():
    for kind in (U8, F32):
        for channels in (1, 3):
            a, b = mat(kind, channels), mat(kind, channels)
            yield from (lambda f=f: f(a, b) for f in (
                cv2.add, cv2.subtract, cv2.multiply, cv2.divide, cv2.absdiff, cv2.min, cv2.max,
                cv2.bitwise_and, cv2.bitwise_or, cv2.bitwise_xor, cv2.PSNR))
            yield lambda: cv2.addWeighted(a, 0.3, b, 0.7, 1)
            yield lambda: cv2.bitwise_not(a)
            yield lambda: cv2.scaleAdd(a, 2.0, b)
            yield lambda: cv2.convertScaleAbs(a, alpha=2, beta=1)
            yield lambda: cv2.flip(a, 0)
            yield lambda: cv2.flip(a, 1)
            yield lambda: cv2.rotate(a, cv2.ROTATE_90_CLOCKWISE)
            yield lambda: cv2.transpose(a)
            yield lambda: cv2.repeat(a, 2, 2)
            yield lambda: cv2.copyMakeBorder(a, 3, 3, 3, 3, cv2.BORDER_REFLECT)
            yield lambda: cv2.merge(cv2.split(a))
            yield lambda: cv2.mixChannels([a], [mat(kind, channels)], [0, channels - 1])
            yield lambda: cv2.meanStdDev(a)
            yield lambda: cv2.mean(a)
            yield lambda: cv2.sumElems(a)
            yield lambda: cv2.norm(a, b, cv2.NORM_L1)
            yield lambda: cv2.norm(a, cv2.NORM_INF)
            yield lambda: cv2.normalize(a, None, 0, 255, cv2.NORM_MINMAX)
            yield lambda: cv2.inRange(a, b, b)
            yield lambda: cv2.reduce(a, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32F)
            yield lambda: cv2.reduce(a, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
            if channels == 1:
                yield lambda: cv2.compare(a, b, cv2.CMP_GT)
                yield lambda: cv2.minMaxLoc(a)
                yield lambda: cv2.countNonZero(a)
                yield lambda: cv2.findNonZero(a)
    f, g = mat(F32), mat(F32)
    for function in (cv2.sqrt, cv2.exp, cv2.log):
        yield lambda: function(f)
    yield lambda: cv2.pow(f, 3)
    yield lambda: cv2.pow(f, 1.5)
    yield lambda: cv2.magnitude(f, g)
    yield lambda: cv2.phase(f, g)
    yield lambda: cv2.cartToPolar(f, g)
    yield lambda: cv2.polarToCart(f, g)
    yield lambda: cv2.gemm(f, f, 1, None, 0, flags=cv2.GEMM_2_T)
    yield lambda: cv2.dft(f)
    yield lambda: cv2.dft(mat(F32, 2))
    yield lambda: cv2.mulSpectrums(mat(F32, 2), mat(F32, 2), 0)
    yield lambda: cv2.setIdentity(f)
    yield lambda: cv2.patchNaNs(f)
    yield lambda: cv2.LUT(mat(U8, 3), np.arange(256, dtype=U8))
    yield lambda: cv2.transform(mat(F32, 3), eye(3, 3))


def filters():
    for kind in (U8, F32):
        for channels in (1, 3):
            a = mat(kind, channels)
            yield lambda: cv2.blur(a, (3, 3))
            yield lambda: cv2.boxFilter(a, -1, (15, 15))
            yield lambda: cv2.sqrBoxFilter(a, cv2.CV_32F, (5, 5))
            yield lambda: cv2.GaussianBlur(a, (3, 3), 0)
            yield lambda: cv2.GaussianBlur(a, (5, 5), 0)
            yield lambda: cv2.GaussianBlur(a, (31, 31), 0)
            yield lambda: cv2.Sobel(a, cv2.CV_32F, 1, 0)
            yield lambda: cv2.Sobel(a, -1, 1, 0, ksize=5)
            yield lambda: cv2.Scharr(a, cv2.CV_32F, 0, 1)
            yield lambda: cv2.Laplacian(a, cv2.CV_32F, ksize=1)
            yield lambda: cv2.Laplacian(a, -1, ksize=5)
            yield lambda: cv2.filter2D(a, -1, np.ones((7, 7), F32))
            yield lambda: cv2.sepFilter2D(a, -1, np.ones(7, F32), np.ones(7, F32))
            yield lambda: cv2.medianBlur(a, 3)
            yield lambda: cv2.medianBlur(a, 5)
            yield lambda: cv2.bilateralFilter(a, 7, 50, 50)
            for shape in (3, 11):
                yield lambda: cv2.erode(a, np.ones((shape, shape), U8))
                yield lambda: cv2.morphologyEx(a, cv2.MORPH_GRADIENT, np.ones((shape, shape), U8))
            yield lambda: cv2.pyrDown(a)
            yield lambda: cv2.pyrUp(a)
            yield lambda: cv2.threshold(a, 100, 255, cv2.THRESH_TRUNC)
            for how in (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_AREA):
                yield lambda: cv2.resize(a, (50, 40), interpolation=how)
                yield lambda: cv2.resize(a, (64, 48), interpolation=how)
                if how == cv2.INTER_AREA:
                    continue
                yield lambda: cv2.warpAffine(a, eye(2, 3), (128, 96), flags=how)
                yield lambda: cv2.warpPerspective(a, eye(3, 3), (128, 96), flags=how)
                yield lambda: cv2.remap(a, mat(F32), mat(F32), how)
            yield lambda: cv2.warpPolar(a, (128, 96), (40, 40), 40, cv2.WARP_POLAR_LOG)
            yield lambda: cv2.blendLinear(a, a, mat(F32), mat(F32))
            yield lambda: cv2.accumulateWeighted(a, mat(F32, channels), 0.1)
            yield lambda: cv2.accumulateSquare(a, mat(F32, channels))
            for method in range(6):
                yield lambda: cv2.matchTemplate(a, mat(kind, channels, (16, 16)), method)
                yield lambda: cv2.matchTemplate(a, mat(kind, channels, (40, 40)), method)


def colours():
    names = ("BGR2GRAY GRAY2BGR BGR2RGB BGR2BGRA BGR2YUV YUV2BGR BGR2YCrCb YCrCb2BGR BGR2XYZ XYZ2BGR BGR2HSV HSV2BGR "
             "BGR2HLS HLS2BGR BGR2Lab Lab2BGR BGR2Luv Luv2BGR BGRA2mBGRA mBGRA2BGRA BGR2BGR565 BGR5652BGR "
             "YUV2BGR_NV12 YUV2BGR_YUY2 YUV2BGR_I420 BGR2YUV_I420 BGR2YUV_YUY2")
    for name in names.split():
        code = getattr(cv2, "COLOR_" + name, None)
        for kind in (U8, U16, F32):
            for channels in (1, 2, 3, 4):
                yield lambda: cv2.cvtColor(mat(kind, channels), code)


def features():
    grey, colour = mat(U8), mat(U8, 3)
    yield lambda: cv2.equalizeHist(grey)
    yield lambda: cv2.calcHist([grey], [0], None, [64], [0, 256])
    yield lambda: cv2.calcBackProject([grey], [0], cv2.UMat(np.ones((64, 1), F32)), [0, 256], 1)
    yield lambda: cv2.createCLAHE(4, (8, 8)).apply(grey)
    yield lambda: cv2.createCLAHE(4, (8, 8)).apply(mat(U16))
    for gradient in (False, True):
        yield lambda: cv2.Canny(grey, 50, 150, L2gradient=gradient)
        yield lambda: cv2.Canny(grey, 50, 150, apertureSize=5, L2gradient=gradient)
    yield lambda: cv2.cornerHarris(grey, 3, 3, 0.04)
    yield lambda: cv2.cornerMinEigenVal(grey, 3)
    yield lambda: cv2.preCornerDetect(grey, 3)
    yield lambda: cv2.goodFeaturesToTrack(grey, 50, 0.01, 5)
    yield lambda: cv2.HoughLines(grey, 1, 0.02, 50)
    yield lambda: cv2.HoughLinesP(grey, 1, 0.02, 50)
    yield lambda: cv2.moments(grey)
    yield lambda: cv2.integral(grey)
    yield lambda: cv2.integral2(grey)
    for kind, norm in ((F32, cv2.NORM_L1), (F32, cv2.NORM_L2), (U8, cv2.NORM_HAMMING)):
        for size in (64, 128, 100):
            descriptors = mat(kind, 1, (64, size))
            yield lambda: cv2.BFMatcher(norm).match(descriptors, descriptors)
            yield lambda: cv2.BFMatcher(norm).knnMatch(descriptors, descriptors, 2)
            yield lambda: cv2.BFMatcher(norm).radiusMatch(descriptors, descriptors, 100.0)
    for h in (3, 5):
        yield lambda: cv2.fastNlMeansDenoising(grey, None, h)
        yield lambda: cv2.fastNlMeansDenoisingColored(colour, None, h, h)
    yield lambda: cv2.calcOpticalFlowFarneback(grey, mat(U8), None, 0.5, 3, 15, 3, 5, 1.2, 0)
    yield lambda: cv2.calcOpticalFlowFarneback(grey, mat(U8), None, 0.5, 3, 15, 3, 7, 1.5, cv2.OPTFLOW_FARNEBACK_GAUSSIAN)
    yield lambda: cv2.calcOpticalFlowPyrLK(grey, mat(U8), cv2.UMat(np.full((8, 1, 2), 40, F32)), None)
    yield lambda: cv2.DISOpticalFlow_create().calc(grey, mat(U8), None)
    for image in (grey, colour):
        yield lambda: cv2.createBackgroundSubtractorMOG2().apply(image)
        yield lambda: cv2.createBackgroundSubtractorKNN().apply(image)
    yield lambda: cv2.StereoBM_create(32, 15).compute(grey, mat(U8))
    yield lambda: cv2.HOGDescriptor().detectMultiScale(mat(U8, 1, (256, 256)))
    yield lambda: cv2.PyRotationWarper("plane", 100).warp(colour, eye(3, 3), eye(3, 3), cv2.INTER_LINEAR, cv2.BORDER_REFLECT)


def main():
    assert cv2.ocl.haveOpenCL(), "OpenCV has no OpenCL"
    cv2.ocl.setUseOpenCL(True)
    assert cv2.ocl.useOpenCL(), "OpenCV takes no device"
    calls = refused = 0
    for family in (arithmetic, filters, colours, features):
        for call in family():
            calls += 1
            try:
                call()
            except (cv2.error, AttributeError, TypeError):
                # Not for this type, or not in this version.
                refused += 1
    print(f"{calls} calls, {refused} refused")


main()
