package io.ojs.sample;

/**
 * A colour in Björn Ottosson's OKLab space, where distances match perceived differences.
 *
 * @param l lightness, 0 to 1
 * @param a from green to red
 * @param b from blue to yellow
 */
record Oklab(double l, double a, double b) {

	static Oklab ofRgb(int rgb) {
		double red = linear((rgb >> 16) & 0xff);
		double green = linear((rgb >> 8) & 0xff);
		double blue = linear(rgb & 0xff);
		double l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
		double m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
		double s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
		return new Oklab(0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
				1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
				0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s);
	}

	int toRgb() {
		double l = cube(this.l + 0.3963377774 * this.a + 0.2158037573 * this.b);
		double m = cube(this.l - 0.1055613458 * this.a - 0.0638541728 * this.b);
		double s = cube(this.l - 0.0894841775 * this.a - 1.2914855480 * this.b);
		return gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) << 16
				| gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) << 8
				| gamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
	}

	double squaredDistance(Oklab other) {
		double dl = this.l - other.l;
		double da = this.a - other.a;
		double db = this.b - other.b;
		return dl * dl + da * da + db * db;
	}

	private static double cube(double value) {
		return value * value * value;
	}

	private static double linear(int channel) {
		double value = channel / 255.0;
		return (value <= 0.04045) ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
	}

	private static int gamma(double linear) {
		double value = (linear <= 0.0031308) ? 12.92 * linear : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055;
		return (int) Math.round(255 * Math.min(1, Math.max(0, value)));
	}

}
