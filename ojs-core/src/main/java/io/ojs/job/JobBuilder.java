package io.ojs.job;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.internal.JobRules;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Job}, which documents the fields. {@link #build()} checks them.
 */
@SuppressWarnings("checkstyle:MissingJavadocMethod")
public final class JobBuilder {

	private final String id;

	private String type;

	private String queue;

	private String specVersion = JobRules.SPEC_VERSION;

	private List<@Nullable Object> args = List.of();

	private Map<String, @Nullable Object> meta = Map.of();

	private @Nullable Integer priority;

	private @Nullable Duration timeout;

	private @Nullable OffsetDateTime scheduledAt;

	private @Nullable OffsetDateTime expiresAt;

	private @Nullable RetryOverrides retry;

	private @Nullable UniquePolicy unique;

	private @Nullable JobState state;

	private int attempt;

	private @Nullable OffsetDateTime createdAt;

	private @Nullable OffsetDateTime enqueuedAt;

	private @Nullable OffsetDateTime startedAt;

	private @Nullable OffsetDateTime completedAt;

	private @Nullable Object result;

	private List<JobError> errors = List.of();

	private Map<String, @Nullable Object> extensions = Map.of();

	JobBuilder(String id, String type, String queue) {
		this.id = id;
		this.type = type;
		this.queue = queue;
	}

	JobBuilder(Job job) {
		this(job.id(), job.type(), job.queue());
		this.specVersion = job.specVersion();
		this.args = job.args();
		this.meta = job.meta();
		this.priority = job.priority();
		this.timeout = job.timeout();
		this.scheduledAt = job.scheduledAt();
		this.expiresAt = job.expiresAt();
		this.retry = job.retry();
		this.unique = job.unique();
		this.state = job.state();
		this.attempt = job.attempt();
		this.createdAt = job.createdAt();
		this.enqueuedAt = job.enqueuedAt();
		this.startedAt = job.startedAt();
		this.completedAt = job.completedAt();
		this.result = job.result();
		this.errors = job.errors();
		this.extensions = job.extensions();
	}

	public JobBuilder type(String type) {
		this.type = type;
		return this;
	}

	public JobBuilder queue(String queue) {
		this.queue = queue;
		return this;
	}

	public JobBuilder specVersion(String specVersion) {
		this.specVersion = specVersion;
		return this;
	}

	public JobBuilder args(List<? extends @Nullable Object> args) {
		this.args = JsonCopies.list(args);
		return this;
	}

	public JobBuilder meta(Map<String, ? extends @Nullable Object> meta) {
		this.meta = JsonCopies.map(meta);
		return this;
	}

	public JobBuilder meta(String key, @Nullable Object value) {
		Map<String, @Nullable Object> more = new LinkedHashMap<>(this.meta);
		more.put(key, value);
		this.meta = more;
		return this;
	}

	public JobBuilder priority(@Nullable Integer priority) {
		this.priority = priority;
		return this;
	}

	public JobBuilder timeout(@Nullable Duration timeout) {
		this.timeout = timeout;
		return this;
	}

	public JobBuilder scheduledAt(@Nullable OffsetDateTime scheduledAt) {
		this.scheduledAt = scheduledAt;
		return this;
	}

	public JobBuilder expiresAt(@Nullable OffsetDateTime expiresAt) {
		this.expiresAt = expiresAt;
		return this;
	}

	public JobBuilder retry(@Nullable RetryOverrides retry) {
		this.retry = retry;
		return this;
	}

	public JobBuilder unique(@Nullable UniquePolicy unique) {
		this.unique = unique;
		return this;
	}

	public JobBuilder state(@Nullable JobState state) {
		this.state = state;
		return this;
	}

	public JobBuilder attempt(int attempt) {
		this.attempt = attempt;
		return this;
	}

	public JobBuilder createdAt(@Nullable OffsetDateTime createdAt) {
		this.createdAt = createdAt;
		return this;
	}

	public JobBuilder enqueuedAt(@Nullable OffsetDateTime enqueuedAt) {
		this.enqueuedAt = enqueuedAt;
		return this;
	}

	public JobBuilder startedAt(@Nullable OffsetDateTime startedAt) {
		this.startedAt = startedAt;
		return this;
	}

	public JobBuilder completedAt(@Nullable OffsetDateTime completedAt) {
		this.completedAt = completedAt;
		return this;
	}

	public JobBuilder result(@Nullable Object result) {
		this.result = result;
		return this;
	}

	public JobBuilder errors(List<JobError> errors) {
		this.errors = errors;
		return this;
	}

	public JobBuilder extensions(Map<String, ? extends @Nullable Object> extensions) {
		this.extensions = JsonCopies.map(extensions);
		return this;
	}

	/**
	 * Builds the job.
	 * @return the job
	 * @throws InvalidJobException if a field breaks its rule
	 */
	public Job build() {
		return new Job(this.specVersion, this.id, this.type, this.queue, this.args, this.meta, this.priority,
				this.timeout, this.scheduledAt, this.expiresAt, this.retry, this.unique, this.state, this.attempt,
				this.createdAt, this.enqueuedAt, this.startedAt, this.completedAt, this.result, this.errors,
				this.extensions);
	}

}
