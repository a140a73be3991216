package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

import io.ojs.boot.it.MatrixExtension.Begin;
import io.ojs.deadletter.DeadLetters;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.internal.database.PostgresDatabase;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application with two extensions at once, and the jobs that it has.
 */
final class MatrixCell implements AutoCloseable {

	/** In the arguments of all jobs. */
	final String secret = "walnut-" + UUID.randomUUID();

	private final PostgresDatabase database = StoreDatabases.create();

	/** Not one of the application's: what is not committed is not seen. */
	private final SingleConnectionDataSource connection = new SingleConnectionDataSource(this.database.url(),
			this.database.username(), this.database.password(), true);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.connection);

	private final Map<MatrixAxis, MatrixExtension> extensions = new EnumMap<>(MatrixAxis.class);

	private final String uri;

	private final RawClient client;

	private final Begin begin;

	private @Nullable Application application;

	private List<String> ids = List.of();

	private int number;

	MatrixCell(String uri, RawClient client, MatrixAxis one, MatrixAxis other) {
		this.uri = uri;
		this.client = client;
		this.extensions.put(one, one.extension());
		this.extensions.put(other, this.extensions.getOrDefault(other, other.extension()));
		Begin composed = (requests) -> {
			List<String> begun = application().ojs().enqueueAll(requests).stream().map(Job::id).toList();
			return () -> begun;
		};
		for (MatrixAxis axis : MatrixAxis.INNER_TO_OUTER) {
			if (has(axis)) {
				composed = this.extensions.get(axis).begin(this, composed);
			}
		}
		this.begin = composed;
		MatrixWork.forget();
	}

	boolean has(MatrixAxis axis) {
		return this.extensions.containsKey(axis);
	}

	/** All the extensions do what they are for. The last one stops the application. */
	void live() {
		start();
		this.ids = begin(request(MatrixWork.WORKS), request(MatrixWork.RECOVERS), request(MatrixWork.DIES)).get();
		await().untilAsserted(() -> {
			assertEnded(works(), JobState.COMPLETED, 1);
			assertEnded(recovers(), JobState.COMPLETED, 2);
			assertEnded(dies(), JobState.DISCARDED, attempts());
		});
		assertThat(bean(DeadLetters.class).get(dies())).isPresent();
		this.extensions.forEach((axis, extension) -> {
			if (axis != MatrixAxis.GS) {
				extension.verify(this);
			}
		});
		if (has(MatrixAxis.GS)) {
			this.extensions.get(MatrixAxis.GS).verify(this);
		}
	}

	/** Each attempt has run, and each that failed has its error. */
	private void assertEnded(String id, JobState state, int attempts) {
		Job job = job(id);
		assertThat(job.state()).isEqualTo(state);
		assertThat(job.attempt()).isEqualTo(attempts);
		assertThat(MatrixWork.runs(id)).hasSize(attempts).allMatch((run) -> run.secret().equals(this.secret));
		assertThat(job.errors()).hasSize((state == JobState.COMPLETED) ? attempts - 1 : attempts)
			.extracting(JobError::message)
			.containsOnly(job.errors().isEmpty() ? new String[0] : new String[] { "no luck" });
	}

	/** Those of a job that dies. */
	int attempts() {
		return has(MatrixAxis.RET) ? 3 : 2;
	}

	void start() {
		Application.Starter starter = Application.on(this.uri)
			.with(MatrixWork.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.queues.cell.retry.max-attempts", 2)
			.property("ojs.cron.poll-interval", "200ms");
		this.extensions.values().forEach((extension) -> extension.configure(starter));
		this.application = starter.start();
	}

	/** A stop, as of somebody who asks for it. */
	void stop() {
		application().close();
	}

	Application application() {
		return Objects.requireNonNull(this.application);
	}

	<T> T bean(Class<T> type) {
		return application().bean(type);
	}

	RawClient client() {
		return this.client;
	}

	/** A job with what both extensions say, and like no other. */
	JobRequest request(String how) {
		return request(MatrixWork.TYPE, how);
	}

	JobRequest request(String type, String how) {
		JobRequest request = JobRequest.of(type, how, this.secret, ++this.number);
		for (MatrixExtension extension : this.extensions.values()) {
			request = extension.request(request);
		}
		return request;
	}

	/** The way of both extensions. */
	Supplier<List<String>> begin(JobRequest... requests) {
		return this.begin.of(List.of(requests));
	}

	List<String> ids() {
		return this.ids;
	}

	String works() {
		return this.ids.get(0);
	}

	String recovers() {
		return this.ids.get(1);
	}

	String dies() {
		return this.ids.get(2);
	}

	Job job(String id) {
		return application().ojs().find(id).orElseThrow();
	}

	JobState state(String id) {
		return job(id).state();
	}

	void awaitCompleted(String id) {
		await(id).until(() -> state(id) == JobState.COMPLETED);
	}

	long count(String table, String condition) {
		Long count = this.jdbc.queryForObject("select count(*) from " + table + " where " + condition, Long.class);
		return (count != null) ? count : 0;
	}

	/** All rows, as text. */
	String rows() {
		List<String> rows = new ArrayList<>();
		this.jdbc
			.queryForList("select table_name from information_schema.tables where table_schema = 'public'",
					String.class)
			.forEach((table) -> rows
				.addAll(this.jdbc.queryForList("select row_to_json(t)::text from " + table + " t", String.class)));
		return String.join("\n", rows);
	}

	@Override
	public void close() {
		if (this.application != null) {
			this.application.close();
		}
		this.connection.destroy();
		this.database.close();
	}

}
