package io.ojs.sample;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import io.ojs.job.Job;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An upload that is rolled back.
 */
class RollbackTests extends GalleryTest {

	@Autowired
	private Gallery gallery;

	@Autowired
	private PhotoLibrary library;

	@Autowired
	private PlatformTransactionManager transactions;

	@Test
	void leavesNothing() throws Exception {
		List<String> before = this.gallery.jobs().stream().map(Job::id).toList();
		try (FeedReader feed = client().follow()) {
			await().until(() -> feed.names().contains("snapshot"));
			String rolledBack = new TransactionTemplate(this.transactions).execute((status) -> {
				String id = add("rolled-back.jpg");
				assertThat(this.gallery.jobs(this.library.find(id).orElseThrow())).hasSize(4);
				status.setRollbackOnly();
				return id;
			});
			assertThat(this.library.find(rolledBack)).isEmpty();
			assertThat(DIRECTORY.resolve(rolledBack)).doesNotExist();
			assertThat(this.gallery.jobs()).extracting(Job::id).containsExactlyElementsOf(before);
			// What comes later is told, so what came before would have been.
			String kept = add("kept.jpg");
			await().until(() -> feed.events("job").stream().anyMatch((event) -> isOf(event.path("job"), kept)));
			assertThat(feed.events("job")).noneMatch((event) -> isOf(event.path("job"), rolledBack));
			assertThat(feed.events("photo")).noneMatch((photo) -> photo.path("id").asString().equals(rolledBack));
		}
	}

	private static boolean isOf(JsonNode job, String photoId) {
		return job.path("photoId").asString().equals(photoId);
	}

	private String add(String name) {
		try {
			return this.gallery.add(name, ImageKind.JPEG, new ByteArrayInputStream(GalleryClient.shipped("broken.jpg")))
				.id();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
