package io.ojs.web.internal.stream;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.ojs.event.internal.EventTail;
import io.ojs.internal.json.JsonObjects;
import io.ojs.web.internal.ResponseJson;
import org.jspecify.annotations.Nullable;

/**
 * What has changed in a while, for one message. Its size has a limit, however much has
 * changed. After {@link #message} was called it must not change any longer: several
 * streams may have it then.
 */
final class Changes {

	/** The most ids of jobs, and the most names of queues. */
	static final int MOST = 200;

	private static final String JOB = "job.";

	private static final JsonObjects OBJECTS = new JsonObjects();

	private final Map<String, Long> jobs = new TreeMap<>();

	private final Set<String> queues = new TreeSet<>();

	private final Set<String> jobIds = new LinkedHashSet<>();

	private final Set<String> kinds = new TreeSet<>();

	private boolean more;

	private volatile byte @Nullable [] message;

	void add(EventTail.Event event) {
		String type = event.type();
		if (type.startsWith(JOB)) {
			this.jobs.merge(type.substring(JOB.length()), 1L, Long::sum);
			addJob(event.subject());
			if (type.equals("job.dead_lettered")) {
				this.kinds.add("dead_letter");
			}
		}
		else {
			int dot = type.indexOf('.');
			this.kinds.add((dot > 0) ? type.substring(0, dot) : type);
		}
		if (!event.queue().isEmpty()) {
			addQueue(event.queue());
		}
	}

	/** Keeps the newest ids. */
	private void addJob(String id) {
		this.jobIds.remove(id);
		this.jobIds.add(id);
		if (this.jobIds.size() > MOST) {
			this.jobIds.remove(this.jobIds.iterator().next());
			this.more = true;
		}
	}

	private void addQueue(String queue) {
		if (this.queues.size() < MOST) {
			this.queues.add(queue);
		}
		else if (!this.queues.contains(queue)) {
			this.more = true;
		}
	}

	/** Notes that more has changed than is counted. */
	void addMore() {
		this.more = true;
	}

	/** Adds later changes. */
	void addAll(Changes later) {
		later.jobs.forEach((type, count) -> this.jobs.merge(type, count, Long::sum));
		later.queues.forEach(this::addQueue);
		later.jobIds.forEach(this::addJob);
		this.kinds.addAll(later.kinds);
		this.more |= later.more;
	}

	boolean isEmpty() {
		return this.jobs.isEmpty() && this.kinds.isEmpty() && !this.more;
	}

	/** Returns the message; it is made once, for all streams that send these changes. */
	byte[] message(Instant at) {
		byte[] made = this.message;
		if (made == null) {
			Map<String, @Nullable Object> data = new LinkedHashMap<>();
			data.put("at", ResponseJson.time(at));
			data.put("jobs", this.jobs);
			data.put("queues", List.copyOf(this.queues));
			data.put("job_ids", List.copyOf(this.jobIds));
			data.put("kinds", List.copyOf(this.kinds));
			data.put("more", this.more);
			made = ("event: changes\ndata: " + new String(OBJECTS.write(data), StandardCharsets.UTF_8) + "\n\n")
				.getBytes(StandardCharsets.UTF_8);
			this.message = made;
		}
		return made;
	}

}
