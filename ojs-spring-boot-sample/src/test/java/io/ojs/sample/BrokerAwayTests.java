package io.ojs.sample;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.ControlException;
import io.ojs.client.EnqueueException;
import io.ojs.client.JobStoreRequiredException;
import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An upload while the broker takes no jobs.
 */
class BrokerAwayTests {

	@Test
	void photoWithoutJobsIsNotKept(@TempDir Path directory) throws Exception {
		PhotoLibrary library = new PhotoLibrary(new GalleryProperties(directory, 10, DataSize.ofMegabytes(1)));
		List<Object> events = new ArrayList<>();
		Gallery gallery = new Gallery(library, new Away(), events::add, JsonMapper.shared());
		assertThatExceptionOfType(EnqueueException.class)
			.isThrownBy(() -> gallery.add("a.jpg", ImageKind.JPEG, new ByteArrayInputStream(new byte[] { 1 })));
		assertThat(library.list()).isEmpty();
		assertThat(events).hasExactlyElementsOfTypes(Gallery.PhotoAdded.class, Gallery.PhotoRemoved.class);
	}

	/**
	 * Stands for a broker that is away.
	 */
	private static final class Away implements OjsOperations {

		@Override
		public Job enqueue(JobRequest request) {
			Job job = Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", request.type(), "photos").build();
			throw new EnqueueException("Nobody is there.", job, null) {

				private static final long serialVersionUID = 1L;

				@Override
				public boolean isOutcomeUnknown() {
					return false;
				}

			};
		}

		@Override
		public List<Job> enqueueAll(Collection<JobRequest> requests) {
			return requests.stream().map(this::enqueue).toList();
		}

		@Override
		public CompletableFuture<Job> enqueueAsync(JobRequest request) {
			return CompletableFuture.completedFuture(enqueue(request));
		}

		@Override
		public void cancel(String queue, String jobId) {
			throw new ControlException("Nobody is there.", null);
		}

		@Override
		public Optional<Job> find(String queue, String jobId) {
			throw new ControlException("Nobody is there.", null);
		}

		@Override
		public Optional<Job> find(String jobId) {
			throw new JobStoreRequiredException("find(id)");
		}

		@Override
		public Optional<Job> cancel(String jobId) {
			throw new JobStoreRequiredException("cancel(id)");
		}

		@Override
		public Optional<Job> activate(String jobId) {
			throw new JobStoreRequiredException("activate(id)");
		}

	}

}
