package io.ojs.sample;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.DoubleConsumer;

import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.OjsRetry;
import net.coobird.thumbnailator.Thumbnails;
import net.coobird.thumbnailator.geometry.Positions;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * The handlers of the gallery's jobs. The arguments of a job are the parameters of its
 * method.
 *
 * <p>
 * The job of a photo that cannot be read is retried, since the disk may be mounted soon,
 * and becomes a dead letter in the end. The job of a deleted photo is discarded. Each job
 * writes one file, which a further run replaces, so a job that runs twice does no harm.
 */
@Component
class PhotoJobs {

	private static final double QUALITY = 0.88;

	private final PhotoLibrary library;

	private final PhotoReader reader;

	private final PaletteFinder paletteFinder;

	private final Painter painter;

	private final Watermark watermark;

	private final JsonMapper json;

	PhotoJobs(PhotoLibrary library, PhotoReader reader, PaletteFinder paletteFinder, Painter painter,
			Watermark watermark, JsonMapper json) {
		this.library = library;
		this.reader = reader;
		this.paletteFinder = paletteFinder;
		this.painter = painter;
		this.watermark = watermark;
		this.json = json;
	}

	@OjsJobHandler(value = "photo.thumbnail", queue = "photos", concurrency = 2)
	Size thumbnail(String photoId, Size box, JobContext context) throws IOException {
		Photo photo = photo(photoId);
		context.progress(0.1, "Reading");
		BufferedImage image = this.reader.read(photo);
		context.progress(0.6, "Scaling");
		BufferedImage thumbnail = box.fit(image);
		context.progress(0.9, "Writing");
		keep(photo, Rendition.THUMBNAIL, thumbnail);
		return new Size(thumbnail.getWidth(), thumbnail.getHeight());
	}

	@OjsJobHandler(value = "photo.palette", queue = "photos")
	List<Swatch> palette(String photoId, int colours, JobContext context) throws IOException {
		Photo photo = photo(photoId);
		context.progress(0.1, "Reading");
		BufferedImage small = new Size(320, 320).fit(this.reader.read(photo));
		List<Swatch> palette = this.paletteFinder.find(small, colours, steps(context, 0.5, "Comparing colours"));
		this.library.keep(photo, Rendition.PALETTE, this.json.writeValueAsBytes(palette));
		return palette;
	}

	@OjsJobHandler(value = "photo.watermark", queue = "photos")
	void watermark(String photoId, Watermark.Style style, JobContext context) throws IOException {
		Photo photo = photo(photoId);
		context.progress(0.1, "Reading");
		BufferedImage image = this.reader.read(photo);
		context.progress(0.5, "Marking");
		BufferedImage mark = this.watermark.of(style, image.getWidth());
		BufferedImage marked = Thumbnails.of(image)
			.scale(1)
			.watermark(Positions.BOTTOM_RIGHT, mark, (float) style.opacity())
			.asBufferedImage();
		context.progress(0.8, "Writing");
		keep(photo, Rendition.WATERMARK, marked);
	}

	/**
	 * Has a queue of its own, because it takes seconds and thumbnails must not wait for
	 * it. It has only two attempts for the same reason.
	 */
	@OjsJobHandler(value = "photo.painting", queue = "studio", concurrency = 1, retry = @OjsRetry(maxAttempts = 2))
	void painting(String photoId, Size box, JobContext context) throws IOException {
		Photo photo = photo(photoId);
		context.progress(0.02, "Reading");
		BufferedImage canvas = box.fit(this.reader.read(photo));
		BufferedImage painting = this.painter.paint(canvas, steps(context, 0.1, "Painting"));
		keep(photo, Rendition.PAINTING, painting);
	}

	/**
	 * The step after thumbnail, palette and watermark: it runs when all of them have
	 * completed, and never if one has failed for good. The job has their results.
	 */
	@OjsJobHandler(value = "photo.publish", queue = "photos")
	void publish(String photoId, JobContext context) throws IOException {
		this.library.keep(photo(photoId), Rendition.PUBLISHED, this.json.writeValueAsBytes(context.parentResults()));
	}

	private Photo photo(String id) {
		return this.library.find(id)
			.orElseThrow(() -> JobFailedException.discard("photo.deleted",
					"The photo was deleted before the job came to it."));
	}

	private void keep(Photo photo, Rendition rendition, BufferedImage image) throws IOException {
		ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
		Thumbnails.of(image).scale(1).outputFormat("jpg").outputQuality(QUALITY).toOutputStream(jpeg);
		this.library.keep(photo, rendition, jpeg.toByteArray());
	}

	/** Reports progress in steps of a twentieth, because a page cannot show more. */
	private static DoubleConsumer steps(JobContext context, double from, String message) {
		int[] told = { -1 };
		return (done) -> {
			int twentieth = (int) (done * 20);
			if (twentieth > told[0]) {
				told[0] = twentieth;
				context.progress(from + (1 - from) * done, message);
			}
		};
	}

	/**
	 * Width and height.
	 *
	 * @param width in pixels
	 * @param height in pixels
	 */
	record Size(int width, int height) {

		/** Shrinks an image that does not fit. */
		BufferedImage fit(BufferedImage image) throws IOException {
			return (image.getWidth() <= this.width && image.getHeight() <= this.height) ? image
					: Thumbnails.of(image).size(this.width, this.height).asBufferedImage();
		}

	}

}
