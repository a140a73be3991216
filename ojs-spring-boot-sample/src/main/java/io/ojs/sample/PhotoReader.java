package io.ojs.sample;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

import io.ojs.handler.JobFailedException;
import net.coobird.thumbnailator.util.exif.ExifFilterUtils;
import net.coobird.thumbnailator.util.exif.ExifUtils;
import net.coobird.thumbnailator.util.exif.Orientation;

import org.springframework.stereotype.Component;

/**
 * Decodes photos and rejects incomplete ones: for a truncated JPEG file, a decoder would
 * return the first part, fill the rest with grey, and only warn.
 */
@Component
class PhotoReader {

	private static final long MAX_PIXELS = 150_000_000;

	/**
	 * The gallery never shows more pixels. The decoder skips the others, so that they
	 * take no memory.
	 */
	private static final long ENOUGH_PIXELS = 12_000_000;

	/**
	 * Decodes a photo.
	 * @param photo the photo
	 * @return its pixels: RGB, upright, on white
	 * @throws BadPhotoException if it cannot be read completely
	 * @throws JobFailedException if it is too large; the job is not retried, because the
	 * photo will not change
	 */
	BufferedImage read(Photo photo) throws IOException {
		try (ImageInputStream input = ImageIO.createImageInputStream(photo.original().toFile())) {
			Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
			if (!readers.hasNext()) {
				throw new BadPhotoException("%s is no image: no decoder recognises it.".formatted(photo.name()), null);
			}
			ImageReader reader = readers.next();
			try {
				reader.setInput(input);
				return read(photo, reader);
			}
			finally {
				reader.dispose();
			}
		}
	}

	private static BufferedImage read(Photo photo, ImageReader reader) throws IOException {
		List<String> missing = new ArrayList<>();
		reader.addIIOReadWarningListener((source, warning) -> {
			if (warning.toLowerCase(Locale.ROOT).matches(".*(truncated|premature|missing eoi).*")) {
				missing.add(warning);
			}
		});
		BufferedImage decoded;
		try {
			ImageReadParam param = reader.getDefaultReadParam();
			int step = step(photo, reader.getWidth(0), reader.getHeight(0));
			param.setSourceSubsampling(step, step, 0, 0);
			decoded = upright(reader, reader.read(0, param));
		}
		// Decoders throw many kinds of exceptions for unexpected content.
		catch (IOException | IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException ex) {
			throw new BadPhotoException("%s cannot be decoded: %s".formatted(photo.name(), ex.getMessage()), ex);
		}
		if (!missing.isEmpty()) {
			throw new BadPhotoException(
					"%s ends too early. The decoder says: %s.".formatted(photo.name(), missing.get(missing.size() - 1)),
					null);
		}
		return rgb(decoded);
	}

	private static int step(Photo photo, long width, long height) {
		long pixels = width * height;
		if (pixels > MAX_PIXELS) {
			throw JobFailedException.deadLetter("photo.too_large",
					"%s has %,d × %,d pixels, which is more than the gallery takes.".formatted(photo.name(), width,
							height));
		}
		return (int) Math.ceil(Math.sqrt((double) pixels / ENOUGH_PIXELS));
	}

	/** Phones write all photos in one orientation and record how they were held. */
	private static BufferedImage upright(ImageReader reader, BufferedImage image) throws IOException {
		if (!reader.getFormatName().equalsIgnoreCase("jpeg")) {
			return image;
		}
		Orientation orientation = ExifUtils.getExifOrientation(reader, 0);
		return (orientation != null) ? ExifFilterUtils.getFilterForOrientation(orientation).apply(image) : image;
	}

	private static BufferedImage rgb(BufferedImage image) {
		BufferedImage rgb = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
		Graphics2D graphics = rgb.createGraphics();
		try {
			graphics.drawImage(image, 0, 0, Color.WHITE, null);
		}
		finally {
			graphics.dispose();
		}
		return rgb;
	}

}
