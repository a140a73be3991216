package io.ojs.sample;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import io.ojs.client.OjsOperations;
import io.ojs.test.boot.OjsTest;
import io.ojs.test.jobs.DrainResult;
import io.ojs.test.jobs.SettableClock;
import io.ojs.test.jobs.TestJobs;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ClassPathResource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static io.ojs.test.assertj.OjsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The handlers, without a broker, a database and a browser: in a second, and what waits
 * is over as soon as the test says so.
 */
@OjsTest(PhotoJobs.class)
@Import({ PhotoLibrary.class, PhotoReader.class, PaletteFinder.class, Painter.class, Watermark.class })
@EnableConfigurationProperties(GalleryProperties.class)
class PhotoJobsTests {

	@TempDir
	static Path directory;

	@Autowired
	private OjsOperations ojs;

	@Autowired
	private TestJobs jobs;

	@Autowired
	private SettableClock clock;

	@Autowired
	private PhotoLibrary library;

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry registry) {
		registry.add("gallery.directory", directory::toString);
		registry.add("ojs.queue-defaults.retry.initial-interval", () -> "3s");
	}

	@Test
	void aThumbnailIsMadeAndToldHowLarge() throws Exception {
		Photo photo = add("misty-forest.jpg");
		this.ojs.enqueue("photo.thumbnail", photo.id(), new PhotoJobs.Size(64, 64));
		assertThat(this.jobs.drain()).hasCompleted("photo.thumbnail");
		assertThat(this.library.find(photo, Rendition.THUMBNAIL)).isPresent();
		assertThat(this.jobs.all().get(0).result()).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsEntry("width", 64);
	}

	@Test
	void aBrokenPhotoIsTriedThreeTimesWithinNineSeconds() throws Exception {
		this.ojs.enqueue("photo.thumbnail", add("broken.jpg").id(), new PhotoJobs.Size(64, 64));
		assertThat(this.ojs).hasEnqueued("photo.thumbnail").onQueue("photos").times(1);
		Instant began = this.clock.instant();
		DrainResult result = this.jobs.drainAll();
		assertThat(result.attempts()).isEqualTo(3);
		assertThat(result.deadLettered()).singleElement()
			.satisfies((job) -> assertThat(job.errors()).hasSize(3)
				.allSatisfy((error) -> assertThat(error.type()).isEqualTo(BadPhotoException.class.getName())));
		assertThat(Duration.between(began, this.clock.instant())).isEqualTo(Duration.ofSeconds(9));
	}

	@Test
	void aJobForAPhotoThatIsGoneIsDiscarded() {
		this.ojs.enqueue("photo.palette", "gone", 6);
		assertThat(this.jobs.drain().discarded()).singleElement()
			.satisfies((job) -> assertThat(job.errors().get(0).type()).isEqualTo("photo.deleted"));
	}

	private Photo add(String name) throws IOException {
		try (InputStream content = new ClassPathResource("static/photos/" + name).getInputStream()) {
			return this.library.add(name, ImageKind.of(name).orElseThrow(), content);
		}
	}

}
