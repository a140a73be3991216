package io.ojs.sample;

import java.awt.image.BufferedImage;
import java.util.function.DoubleConsumer;

import org.springframework.stereotype.Component;

/**
 * Paints an image in oil: a Kuwahara filter with eight soft sectors (after Papari, Petkov
 * and Campisi, 2007). Around each pixel it takes the mean colour of each sector, and
 * gives the most weight to sectors whose colours differ least. So areas become strokes,
 * and edges stay.
 *
 * <p>
 * It reads more than a hundred neighbours of each pixel, which takes seconds: too long
 * for a request of a page, and so work for a job.
 */
@Component
class Painter {

	private static final int SECTORS = 8;

	private static final int RADIUS = 7;

	/**
	 * Variance of the colours of a sector at which its weight falls, and how sharply it
	 * falls.
	 */
	private static final double TOLERATED_VARIANCE = 12;

	private static final double SHARPNESS = 5;

	private static final double[][] WEIGHTS = weights();

	private static double[][] weights() {
		int side = 2 * RADIUS + 1;
		double[][] weights = new double[SECTORS][side * side];
		for (int y = -RADIUS; y <= RADIUS; y++) {
			for (int x = -RADIUS; x <= RADIUS; x++) {
				double distance = Math.hypot(x, y);
				for (int sector = 0; sector < SECTORS && distance <= RADIUS; sector++) {
					double angle = Math.atan2(y, x) - 2 * Math.PI * sector / SECTORS;
					// All sectors share the centre; further out they hardly overlap.
					double within = (distance == 0) ? 1 : Math.max(0, Math.cos(angle));
					weights[sector][(y + RADIUS) * side + x + RADIUS] = Math.pow(within, 6)
							* Math.exp(-2.5 * distance * distance / (RADIUS * RADIUS));
				}
			}
		}
		return weights;
	}

	/**
	 * Paints an image.
	 * @param image RGB
	 * @param progress receives the finished part, 0.0 to 1.0
	 * @return the painting, of the same size
	 */
	BufferedImage paint(BufferedImage image, DoubleConsumer progress) {
		int width = image.getWidth();
		int height = image.getHeight();
		int[] pixels = image.getRGB(0, 0, width, height, null, 0, width);
		BufferedImage painting = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
		int[] row = new int[width];
		double[] sums = new double[5];
		for (int y = 0; y < height; y++) {
			for (int x = 0; x < width; x++) {
				row[x] = paint(pixels, width, height, x, y, sums);
			}
			painting.setRGB(0, y, width, 1, row, 0, width);
			progress.accept((y + 1.0) / height);
		}
		return painting;
	}

	private static int paint(int[] pixels, int width, int height, int x, int y, double[] sums) {
		double red = 0;
		double green = 0;
		double blue = 0;
		double total = 0;
		for (double[] weights : WEIGHTS) {
			sum(pixels, width, height, x, y, weights, sums);
			double r = sums[1] / sums[0];
			double g = sums[2] / sums[0];
			double b = sums[3] / sums[0];
			double variance = Math.max(0, sums[4] / sums[0] - (r * r + g * g + b * b));
			double trust = 1 / (1 + Math.pow(variance / TOLERATED_VARIANCE, SHARPNESS));
			red += trust * r;
			green += trust * g;
			blue += trust * b;
			total += trust;
		}
		return (int) (red / total + 0.5) << 16 | (int) (green / total + 0.5) << 8 | (int) (blue / total + 0.5);
	}

	private static void sum(int[] pixels, int width, int height, int x, int y, double[] weights, double[] sums) {
		double weight = 0;
		double red = 0;
		double green = 0;
		double blue = 0;
		double squares = 0;
		int i = 0;
		for (int dy = -RADIUS; dy <= RADIUS; dy++) {
			int line = Math.min(height - 1, Math.max(0, y + dy)) * width;
			for (int dx = -RADIUS; dx <= RADIUS; dx++) {
				double w = weights[i++];
				if (w > 1e-3) {
					int pixel = pixels[line + Math.min(width - 1, Math.max(0, x + dx))];
					int r = (pixel >> 16) & 0xff;
					int g = (pixel >> 8) & 0xff;
					int b = pixel & 0xff;
					weight += w;
					red += w * r;
					green += w * g;
					blue += w * b;
					squares += w * (r * r + g * g + b * b);
				}
			}
		}
		sums[0] = weight;
		sums[1] = red;
		sums[2] = green;
		sums[3] = blue;
		sums[4] = squares;
	}

}
