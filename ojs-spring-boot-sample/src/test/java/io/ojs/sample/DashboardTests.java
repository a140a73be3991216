package io.ojs.sample;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;

import io.ojs.test.internal.browser.Browser;
import io.ojs.test.internal.browser.Part;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The dashboard of a gallery that has jobs in every state. With
 * {@code -Dojs.screenshots=true} it renews the pictures of the documentation.
 */
@TestInstance(Lifecycle.PER_CLASS)
class DashboardTests extends GalleryTest {

	private static final Path PICTURES = Path.of("../src/docs/images/dashboard");

	private static final int WIDE = 1280;

	private static final int NARROW = 360;

	private static final int LOWEST = 560;

	private static final int HIGHEST = 1040;

	private static final String HEIGHT = """
			return Math.ceil(document.querySelector('main .page').getBoundingClientRect().bottom + scrollY + 24)""";

	/** The pages that the documentation shows. */
	private static final Set<String> PICTURED = Set.of("overview", "queues", "queue", "job", "dead-letters", "workflow",
			"crons", "limits");

	private static final CountDownLatch ENOUGH_SEEN = new CountDownLatch(1);

	private static volatile boolean isPaintingSlowly;

	@RegisterExtension
	static final Browser browser = new Browser();

	private String failing;

	private String painted;

	private String workflow;

	@BeforeAll
	void fillGallery() throws Exception {
		connect();
		completeSome();
		letSomeFail();
		letSomeWait();
		// Figures of ended jobs are written once a minute.
		patiently().until(() -> completedOverTime() >= 40);
	}

	/** The last painting ends, so that the application can stop. */
	@AfterAll
	void endPainting() throws Exception {
		ENOUGH_SEEN.countDown();
		api("queues/photos/resume", "{}");
	}

	private void completeSome() throws Exception {
		for (String photo : List.of("northern-lights", "misty-forest", "evening-ridges", "seahorse-valley",
				"morning-window", "wind-and-sand")) {
			client().uploadShipped(photo + ".jpg");
		}
		api("cron/gallery-clean/trigger", "{}");
		patiently().until(() -> found("state=completed").size() == 31);
	}

	private void letSomeFail() throws Exception {
		String broken = client().uploadShipped("broken.jpg");
		patiently().until(() -> found("state=discarded").size() == 4);
		this.workflow = found("type=photo.publish&state=completed").get(0).path("workflow_id").asString();
		api("operations", """
				{"action": "replay", "filter": {"type": "photo.palette"}, "confirm": true}""");
		patiently().until(() -> operations("completed") == 1 && found("state=discarded").size() == 4);
		this.failing = api("jobs",
				"""
						{"type": "photo.watermark", "args": ["%s", {"width": 0.2, "opacity": 0.8}], "meta": {"photo": "broken.jpg"},
						 "options": {"queue": "photos", "tags": ["again"], "retry": {"max_attempts": 5, "initial_interval": "PT20M", "max_interval": "PT20M"}}}"""
					.formatted(broken))
			.path("job")
			.path("id")
			.asString();
		api("jobs", """
				{"type": "gallery.clean", "args": [], "options": {"queue": "photos", "scheduled_at": "%s"}}"""
			.formatted(Instant.now().plus(Duration.ofDays(1))));
		patiently().until(() -> found("state=retryable").size() == 1);
		patiently().until(() -> found("state=available,active").isEmpty());
	}

	private void letSomeWait() throws Exception {
		isPaintingSlowly = true;
		client().uploadShipped("misty-forest.jpg");
		client().uploadShipped("wind-and-sand.jpg");
		client().uploadShipped("evening-ridges.jpg");
		patiently().until(() -> found("type=photo.painting&state=available").size() == 2
				&& found("state=active").size() == 1 && found("queue=photos&state=available,active,pending").isEmpty());
		this.painted = found("state=active").get(0).path("id").asString();
		api("queues/photos/pause", "{}");
		client().uploadShipped("morning-window.jpg");
		patiently().until(() -> found("queue=photos&state=available").size() == 3);
	}

	/** Six paintings take a busy machine a minute. */
	private static ConditionFactory patiently() {
		return await().atMost(Duration.ofMinutes(3));
	}

	private JsonNode api(String path, String json) throws Exception {
		return client().post("/ojs/v1/" + path, json);
	}

	private List<JsonNode> found(String filter) throws Exception {
		return GalleryClient.json(client().get("/ojs/v1/jobs?" + filter)).path("items").valueStream().toList();
	}

	private int operations(String state) throws Exception {
		return GalleryClient.json(client().get("/ojs/v1/operations?state=" + state)).path("items").size();
	}

	private int completedOverTime() throws Exception {
		String since = Instant.now().minus(Duration.ofHours(1)).toString();
		return GalleryClient.json(client().get("/ojs/v1/stats?by=none&step=60&since=" + since))
			.path("series")
			.valueStream()
			.flatMap((series) -> series.path("points").valueStream())
			.mapToInt((point) -> point.path("completed").asInt())
			.sum();
	}

	Stream<Shot> shots() {
		return Stream.of(page("overview", "./", "Needs attention", "photos"),
				page("queues", "queues", "photos", "studio"), page("queue", "queue?name=photos", "photo.thumbnail"),
				page("jobs", "jobs", "photo.painting", "photo.publish"),
				page("job", "job?id=" + this.failing, "photo.watermark"),
				page("job-running", "job?id=" + this.painted, "Painting"),
				page("dead-letters", "dead-letters", "photo.palette"),
				page("workflows", "workflows", "northern-lights.jpg"),
				page("workflow", "workflow?id=" + this.workflow, "publishing"), page("crons", "crons", "gallery-clean"),
				page("operations", "operations", "photo.palette"), page("workers", "workers", "photo.painting"),
				page("limits", "limits", "easel"), page("broker", "broker", "RabbitMQ"))
			.flatMap((page) -> looks(page).stream());
	}

	private static List<Shot> looks(Shot page) {
		List<Shot> all = List.of(page, page.dark(), page.narrow());
		return Boolean.getBoolean("ojs.screenshots") ? all : Part.of(all, page.name(), all.size());
	}

	private static Shot page(String name, String address, String... texts) {
		return new Shot(name, address, WIDE, "light", List.of(texts));
	}

	@ParameterizedTest
	@MethodSource("shots")
	void pageShowsWhatTheGalleryDoes(Shot shot) throws IOException {
		browser.look(shot.width(), shot.scheme());
		browser.open(client().base(), shot.address());
		shot.texts().forEach(browser::awaitText);
		assertThat(browser.overflow()).isZero();
		if (Boolean.getBoolean("ojs.screenshots") && shot.isPictured()) {
			int height = ((Number) browser.run(HEIGHT)).intValue();
			browser.look(shot.width(), Math.max(LOWEST, Math.min(height, HIGHEST)), shot.scheme());
			Files.createDirectories(PICTURES);
			Files.write(PICTURES.resolve(shot.file()), small(browser.screenshot()));
		}
	}

	/** The same picture in fewer bytes than the browser writes. */
	private static byte[] small(byte[] png) throws IOException {
		BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
		BufferedImage opaque = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
		Graphics2D graphics = opaque.createGraphics();
		graphics.drawImage(image, 0, 0, null);
		graphics.dispose();
		ByteArrayOutputStream smaller = new ByteArrayOutputStream();
		ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
		ImageWriteParam param = writer.getDefaultWriteParam();
		param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
		param.setCompressionQuality(0);
		try (var output = ImageIO.createImageOutputStream(smaller)) {
			writer.setOutput(output);
			writer.write(null, new IIOImage(opaque, null, null), param);
		}
		finally {
			writer.dispose();
		}
		return (smaller.size() < png.length) ? smaller.toByteArray() : png;
	}

	/**
	 * A page, and how it is looked at.
	 *
	 * @param name of the page
	 * @param address below {@code /ojs/ui/}
	 * @param width in pixels
	 * @param scheme {@code light} or {@code dark}
	 * @param texts what it shows
	 */
	record Shot(String name, String address, int width, String scheme, List<String> texts) {

		Shot dark() {
			return new Shot(this.name, this.address, this.width, "dark", this.texts);
		}

		Shot narrow() {
			return new Shot(this.name, this.address, NARROW, this.scheme, this.texts);
		}

		/** Of narrow pages, one is enough for readers. */
		boolean isPictured() {
			return PICTURED.contains(this.name) && (this.width == WIDE || this.name.equals("overview"));
		}

		String file() {
			return this.name + ((this.width == NARROW) ? "-narrow" : "") + (this.scheme.equals("dark") ? "-dark" : "")
					+ ".png";
		}

		@Override
		public String toString() {
			return file();
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class PatientPainter {

		/** Its paintings are half done until the test ends, when it says so. */
		@Bean
		@Primary
		Painter patientPainter() {
			return new Painter() {

				@Override
				BufferedImage paint(BufferedImage image, DoubleConsumer progress) {
					if (isPaintingSlowly) {
						progress.accept(0.5);
						awaitEnd();
					}
					return super.paint(image, progress);
				}

			};
		}

		private static void awaitEnd() {
			try {
				ENOUGH_SEEN.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
