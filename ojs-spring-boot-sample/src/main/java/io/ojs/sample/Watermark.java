package io.ojs.sample;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;

import javax.imageio.ImageIO;

import net.coobird.thumbnailator.Thumbnails;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;

/**
 * The watermark of the gallery. It is a picture and not text, because many servers have
 * no fonts.
 */
@Component
class Watermark {

	private final BufferedImage mark;

	Watermark(@Value("classpath:watermark.png") Resource file) throws IOException {
		try (InputStream input = file.getInputStream()) {
			this.mark = ImageIO.read(input);
		}
	}

	/**
	 * The watermark for an image.
	 * @param style the style
	 * @param imageWidth the width of the image
	 * @return the watermark in the right size
	 */
	BufferedImage of(Style style, int imageWidth) throws IOException {
		int width = Math.max(1, (int) Math.round(style.width() * imageWidth));
		return Thumbnails.of(this.mark).width(width).imageType(BufferedImage.TYPE_INT_ARGB).asBufferedImage();
	}

	/**
	 * The style of a watermark.
	 *
	 * @param width its part of the image's width, 0.0 to 1.0
	 * @param opacity 0.0 to 1.0
	 */
	record Style(double width, double opacity) {
	}

}
