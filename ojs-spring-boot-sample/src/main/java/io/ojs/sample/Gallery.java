package io.ojs.sample;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.ojs.client.EnqueueException;
import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.sample.PhotoJobs.Size;
import io.ojs.workflow.Chain;
import io.ojs.workflow.Group;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.Workflows;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Adds photos and enqueues their jobs.
 */
@Service
class Gallery {

	/** One painting at a time, in all processes that share the database. */
	private static final RateLimit EASEL = RateLimit.of("easel").concurrency(1);

	private final PhotoLibrary library;

	private final OjsOperations ojs;

	private final Workflows workflows;

	private final JobRecords records;

	private final ApplicationEventPublisher events;

	private final JsonMapper json;

	private final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	Gallery(PhotoLibrary library, OjsOperations ojs, Workflows workflows, JobRecords records,
			ApplicationEventPublisher events, JsonMapper json) {
		this.library = library;
		this.ojs = ojs;
		this.workflows = workflows;
		this.records = records;
		this.events = events;
		this.json = json;
	}

	/**
	 * Adds a photo. When this method returns, the photo is on the disk and its workflow
	 * is in the database, but no pixel has been decoded. If an error occurs, neither is
	 * kept.
	 * @param name the name of the photo
	 * @param kind the kind of the file
	 * @param content the file
	 * @return the photo
	 * @throws EnqueueException if its jobs could not be stored
	 */
	@Transactional
	PhotoView add(String name, ImageKind kind, InputStream content) throws IOException {
		Photo photo = this.library.add(name, kind, content);
		PhotoView added = view(photo);
		this.events.publishEvent(new PhotoAdded(added));
		enqueue(photo, EnumSet.allOf(Rendition.class));
		return added;
	}

	/**
	 * Deletes the files after a rollback, because the disk takes no part in the
	 * transaction.
	 */
	@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
	void takeBack(PhotoAdded event) throws IOException {
		Optional<Photo> photo = this.library.find(event.photo().id());
		if (photo.isPresent()) {
			this.library.delete(photo.get());
		}
	}

	/**
	 * Enqueues the jobs for the missing renditions of a photo, such as those of dead
	 * letters.
	 * @param photo the photo
	 * @return the jobs
	 */
	@Transactional
	List<Job> completeRenditions(Photo photo) {
		Set<Rendition> missing = EnumSet.allOf(Rendition.class);
		missing.removeAll(view(photo).renditions());
		return enqueue(photo, missing);
	}

	/**
	 * Starts a workflow and records its jobs, both in the caller's transaction. It
	 * chooses the ids itself, so that it can record jobs that are enqueued only after
	 * others have ended.
	 */
	private List<Job> enqueue(Photo photo, Set<Rendition> renditions) {
		Group all = Workflow.group(photo.name());
		Group first = Workflow.group("renditions");
		Chain publishing = Workflow.chain("publishing");
		for (Rendition rendition : renditions) {
			JobRequest job = request(photo, rendition).id(this.ids.next()).meta("photo", photo.name());
			this.records.add(photo, job);
			switch (rendition) {
				case PAINTING -> all = all.add(job);
				case PUBLISHED ->
					publishing = (first.steps().isEmpty() ? publishing : publishing.then(first)).then(job);
				default -> first = first.add(job);
			}
		}
		if (!publishing.steps().isEmpty()) {
			all = all.add(publishing);
		}
		if (!all.steps().isEmpty()) {
			this.workflows.start(all);
		}
		return jobs(photo).stream().filter((job) -> job.state() == JobState.AVAILABLE).toList();
	}

	private static JobRequest request(Photo photo, Rendition rendition) {
		return switch (rendition) {
			// Thumbnails come first, as far as the broker orders by priority.
			case THUMBNAIL -> JobRequest.of(rendition.jobType(), photo.id(), new Size(640, 640)).priority(10);
			case PALETTE -> JobRequest.of(rendition.jobType(), photo.id(), 6);
			case WATERMARK -> JobRequest.of(rendition.jobType(), photo.id(), new Watermark.Style(0.2, 0.8));
			case PAINTING ->
				JobRequest.of(rendition.jobType(), photo.id(), new Size(1000, 1000)).tags("slow").rateLimit(EASEL);
			case PUBLISHED -> JobRequest.of(rendition.jobType(), photo.id());
		};
	}

	/**
	 * Deletes a photo.
	 * @param photo the photo
	 */
	@Transactional(rollbackFor = IOException.class)
	void remove(Photo photo) throws IOException {
		this.records.delete(photo);
		this.library.delete(photo);
		this.events.publishEvent(new PhotoRemoved(photo.id()));
	}

	/**
	 * The present jobs of a photo in the job store.
	 * @param photo the photo
	 * @return the oldest first, without jobs that the store has deleted
	 */
	List<Job> jobs(Photo photo) {
		return find(this.records.of(photo.id()));
	}

	/**
	 * The present jobs of all photos in the job store.
	 * @return the oldest first, without jobs that the store has deleted
	 */
	List<Job> jobs() {
		return find(this.records.all());
	}

	private List<Job> find(List<String> ids) {
		return ids.stream().map(this.ojs::find).flatMap(Optional::stream).toList();
	}

	/**
	 * All photos for the page.
	 * @return the newest first
	 */
	List<PhotoView> views() {
		return this.library.list().stream().map(this::view).toList();
	}

	/**
	 * A photo for the page.
	 * @param id the id of the photo
	 * @return the photo, if it exists
	 */
	Optional<PhotoView> view(String id) {
		return this.library.find(id).map(this::view);
	}

	private PhotoView view(Photo photo) {
		Set<Rendition> renditions = EnumSet.noneOf(Rendition.class);
		for (Rendition rendition : Rendition.values()) {
			this.library.find(photo, rendition).ifPresent((file) -> renditions.add(rendition));
		}
		return new PhotoView(photo.id(), photo.name(), photo.bytes(), photo.addedAt(), renditions,
				this.library.find(photo, Rendition.PALETTE).map(this::palette).orElse(List.of()));
	}

	private List<Swatch> palette(Path file) {
		try {
			return List.of(this.json.readValue(Files.readAllBytes(file), Swatch[].class));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A photo was added.
	 *
	 * @param photo the photo
	 */
	record PhotoAdded(PhotoView photo) {
	}

	/**
	 * A photo was deleted.
	 *
	 * @param photoId the id that it had
	 */
	record PhotoRemoved(String photoId) {
	}

}
