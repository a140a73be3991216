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
 * Takes photos in and enqueues the work on them.
 */
@Service
class Gallery {

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
	 * Takes a photo in. When this returns, the photo is on the disk and its workflow is
	 * in the database, and nobody has decoded a single pixel. If anything goes wrong
	 * before, neither is kept.
	 * @param name its name
	 * @param kind its kind
	 * @param content the file
	 * @return the photo
	 * @throws EnqueueException if its jobs could not be kept
	 */
	@Transactional
	PhotoView add(String name, ImageKind kind, InputStream content) throws IOException {
		Photo photo = this.library.add(name, kind, content);
		PhotoView added = view(photo);
		this.events.publishEvent(new PhotoAdded(added));
		enqueue(photo, EnumSet.allOf(Rendition.class));
		return added;
	}

	/** A disk knows nothing of transactions, so it is told. */
	@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
	void takeBack(PhotoAdded event) throws IOException {
		Optional<Photo> photo = this.library.find(event.photo().id());
		if (photo.isPresent()) {
			this.library.delete(photo.get());
		}
	}

	/**
	 * Enqueues the jobs for what is missing of a photo, such as what was dead-lettered.
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
	 * In the caller's transaction: a workflow, and what is noted of its jobs, or neither.
	 * Ids are chosen here, so that jobs can be noted that are not enqueued before others
	 * have ended.
	 */
	private List<Job> enqueue(Photo photo, Set<Rendition> renditions) {
		Group all = Workflow.group("photo " + photo.id());
		Group first = Workflow.group("renditions");
		Chain publishing = Workflow.chain("publishing");
		for (Rendition rendition : renditions) {
			JobRequest job = request(photo, rendition).id(this.ids.next());
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
			// Something to look at comes first, as far as the broker can order.
			case THUMBNAIL -> JobRequest.of(rendition.jobType(), photo.id(), new Size(640, 640)).priority(10);
			case PALETTE -> JobRequest.of(rendition.jobType(), photo.id(), 6);
			case WATERMARK -> JobRequest.of(rendition.jobType(), photo.id(), new Watermark.Style(0.2, 0.8));
			case PAINTING -> JobRequest.of(rendition.jobType(), photo.id(), new Size(1000, 1000)).tags("slow");
			case PUBLISHED -> JobRequest.of(rendition.jobType(), photo.id());
		};
	}

	/**
	 * Forgets a photo.
	 * @param photo the photo
	 */
	@Transactional(rollbackFor = IOException.class)
	void remove(Photo photo) throws IOException {
		this.records.delete(photo);
		this.library.delete(photo);
		this.events.publishEvent(new PhotoRemoved(photo.id()));
	}

	/**
	 * The jobs of a photo, as the job store knows them at this moment.
	 * @param photo the photo
	 * @return the oldest first, without those that it has deleted
	 */
	List<Job> jobs(Photo photo) {
		return find(this.records.of(photo.id()));
	}

	/**
	 * The jobs of all photos, as the job store knows them at this moment.
	 * @return the oldest first, without those that it has deleted
	 */
	List<Job> jobs() {
		return find(this.records.all());
	}

	private List<Job> find(List<String> ids) {
		return ids.stream().map(this.ojs::find).flatMap(Optional::stream).toList();
	}

	/**
	 * All photos as the page sees them.
	 * @return the newest first
	 */
	List<PhotoView> views() {
		return this.library.list().stream().map(this::view).toList();
	}

	/**
	 * A photo as the page sees it.
	 * @param id its id
	 * @return the photo, if it is there
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
	 * A photo was taken in.
	 *
	 * @param photo the photo
	 */
	record PhotoAdded(PhotoView photo) {
	}

	/**
	 * A photo was forgotten.
	 *
	 * @param photoId what its id was
	 */
	record PhotoRemoved(String photoId) {
	}

}
