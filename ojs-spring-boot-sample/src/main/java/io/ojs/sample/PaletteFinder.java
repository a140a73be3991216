package io.ojs.sample;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

import org.springframework.stereotype.Component;

/**
 * Finds the main colours of an image by k-means clustering. The same image always gives
 * the same palette.
 */
@Component
class PaletteFinder {

	private static final int ROUNDS = 24;

	private static final double SETTLED = 1e-7;

	/**
	 * Finds the colours.
	 * @param image a small image, because each round reads all its pixels
	 * @param colours the largest number of colours
	 * @param progress receives the finished part, 0.0 to 1.0
	 * @return the colours, that with the largest share first
	 */
	List<Swatch> find(BufferedImage image, int colours, DoubleConsumer progress) {
		List<Oklab> pixels = pixels(image);
		List<Oklab> centres = farApart(pixels, colours);
		int[] counts = new int[centres.size()];
		for (int round = 1; round <= ROUNDS; round++) {
			double moved = improve(pixels, centres, counts);
			progress.accept((double) round / ROUNDS);
			if (moved < SETTLED) {
				break;
			}
		}
		return IntStream.range(0, centres.size())
			.filter((i) -> counts[i] > 0)
			.mapToObj((i) -> new Swatch("#%06x".formatted(centres.get(i).toRgb()),
					Math.round(1000.0 * counts[i] / pixels.size()) / 1000.0))
			.sorted(Comparator.comparingDouble(Swatch::share).reversed())
			.toList();
	}

	private static List<Oklab> pixels(BufferedImage image) {
		int[] rgb = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
		List<Oklab> pixels = new ArrayList<>(rgb.length);
		for (int pixel : rgb) {
			pixels.add(Oklab.ofRgb(pixel));
		}
		return pixels;
	}

	/**
	 * Begins with one pixel, then repeatedly adds the pixel that differs most from all
	 * before.
	 */
	private static List<Oklab> farApart(List<Oklab> pixels, int colours) {
		List<Oklab> centres = new ArrayList<>();
		Oklab next = pixels.get(pixels.size() / 2);
		double[] distances = new double[pixels.size()];
		Arrays.fill(distances, Double.MAX_VALUE);
		while (centres.size() < colours) {
			centres.add(next);
			int farthest = 0;
			for (int i = 0; i < distances.length; i++) {
				distances[i] = Math.min(distances[i], pixels.get(i).squaredDistance(next));
				farthest = (distances[i] > distances[farthest]) ? i : farthest;
			}
			if (distances[farthest] == 0) {
				break;
			}
			next = pixels.get(farthest);
		}
		return centres;
	}

	private static double improve(List<Oklab> pixels, List<Oklab> centres, int[] counts) {
		double[][] sums = new double[centres.size()][3];
		Arrays.fill(counts, 0);
		for (Oklab pixel : pixels) {
			int nearest = nearest(pixel, centres);
			counts[nearest]++;
			sums[nearest][0] += pixel.l();
			sums[nearest][1] += pixel.a();
			sums[nearest][2] += pixel.b();
		}
		double moved = 0;
		for (int i = 0; i < counts.length; i++) {
			if (counts[i] > 0) {
				Oklab centre = new Oklab(sums[i][0] / counts[i], sums[i][1] / counts[i], sums[i][2] / counts[i]);
				moved += centre.squaredDistance(centres.set(i, centre));
			}
		}
		return moved;
	}

	private static int nearest(Oklab pixel, List<Oklab> centres) {
		int nearest = 0;
		for (int i = 1; i < centres.size(); i++) {
			if (pixel.squaredDistance(centres.get(i)) < pixel.squaredDistance(centres.get(nearest))) {
				nearest = i;
			}
		}
		return nearest;
	}

}
