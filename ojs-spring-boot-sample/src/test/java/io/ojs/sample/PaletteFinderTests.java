package io.ojs.sample;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Colours, by count.
 */
class PaletteFinderTests {

	@Test
	void findsTheColoursThatAreThereByTheirShare() {
		BufferedImage flag = new BufferedImage(100, 10, BufferedImage.TYPE_INT_RGB);
		Graphics2D graphics = flag.createGraphics();
		graphics.setColor(new Color(0x1d2350));
		graphics.fillRect(0, 0, 70, 10);
		graphics.setColor(new Color(0xffdc9c));
		graphics.fillRect(70, 0, 30, 10);
		graphics.dispose();
		List<Double> progress = new ArrayList<>();
		assertThat(new PaletteFinder().find(flag, 6, progress::add)).containsExactly(new Swatch("#1d2350", 0.7),
				new Swatch("#ffdc9c", 0.3));
		assertThat(progress).isNotEmpty().isSorted();
	}

}
