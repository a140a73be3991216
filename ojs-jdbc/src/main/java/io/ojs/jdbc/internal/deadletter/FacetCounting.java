package io.ojs.jdbc.internal.deadletter;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.DeadLetterFacets;
import io.ojs.deadletter.internal.DeadLetterFacets.Age;
import io.ojs.deadletter.internal.DeadLetterFacets.Sample;
import io.ojs.deadletter.internal.DeadLetterFacets.Value;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobError;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Counts dead letters by what they have in common. On PostgreSQL, the index of dead
 * letters has all columns that this needs.
 */
final class FacetCounting {

	private static final int MESSAGE = 200;

	private final StoreDatabase database;

	private final DeadLetterFilter filter;

	/** What an index begins with. */
	private final DeadLetterConditions where;

	private final DeadLetterConditions after;

	private final Map<String, Value> queues = new HashMap<>();

	private final Map<String, Value> types = new HashMap<>();

	private final Map<String, Value> errorTypes = new HashMap<>();

	private final Map<String, Value> errorHashes = new HashMap<>();

	private final Map<Age, Long> ages = new EnumMap<>(Age.class);

	private long counted;

	private @Nullable Instant newest;

	FacetCounting(StoreDatabase database, DeadLetterFilter filter) {
		this.database = database;
		this.filter = filter;
		this.where = new DeadLetterConditions(filter.type(null).errorType(null).origin(null));
		this.after = new DeadLetterConditions(
				DeadLetterFilter.ANY.type(filter.type()).errorType(filter.errorType()).origin(filter.origin()));
	}

	/**
	 * What no index begins with is looked at after the index was read, in a form for
	 * which a plan expects many: if it expected few, it would read the rows of dead
	 * letters, and sort instead of hash.
	 */
	private String sql() {
		return "select queue, type, error_type, error_hash, age, count(*) as jobs, min(dead_lettered_at) as oldest, "
				+ "max(dead_lettered_at) as newest from (select queue, type, error_type, error_hash, dead_lettered_at, "
				+ "case when dead_lettered_at > ? then 0 when dead_lettered_at > ? then 1 when dead_lettered_at > ? then 2 "
				+ "else 3 end as age from (select queue, type, error_type, error_hash, dead_lettered_at, id from ojs_job "
				+ "where " + this.where.sql() + " order by dead_lettered_at desc, id desc offset 0 rows) i where "
				+ "case when " + this.after.sql()
				+ " then true else false end order by dead_lettered_at desc, id desc limit ?) d "
				+ "group by queue, type, error_type, error_hash, age";
	}

	/** The ends of ages. */
	private static List<Instant> ends(Instant now) {
		return List.of(now.minus(Age.HOUR.below()), now.minus(Age.DAY.below()), now.minus(Age.WEEK.below()));
	}

	DeadLetterFacets count(Instant now, int bound) {
		RowCallbackHandler add = this::add;
		List<Object> parameters = new ArrayList<>(ends(now));
		parameters.addAll(this.where.values());
		parameters.addAll(this.after.values());
		parameters.add(bound + 1);
		this.database.jdbc().query(sql(), DeadLetterConditions.setter(parameters), add);
		List<Value> hashes = most(this.errorHashes);
		return new DeadLetterFacets(Math.min(this.counted, bound), this.counted <= bound, this.newest,
				most(this.queues), most(this.types), most(this.errorTypes), hashes, samples(hashes), this.ages);
	}

	private void add(ResultSet row) throws SQLException {
		long jobs = row.getLong("jobs");
		Instant first = SqlTimes.instant(row, "oldest");
		Instant last = SqlTimes.instant(row, "newest");
		this.counted += jobs;
		this.newest = (this.newest == null || last.isAfter(this.newest)) ? last : this.newest;
		this.ages.merge(Age.values()[row.getInt("age")], jobs, Long::sum);
		add(this.queues, row.getString("queue"), jobs, first, last);
		add(this.types, row.getString("type"), jobs, first, last);
		add(this.errorTypes, row.getString("error_type"), jobs, first, last);
		add(this.errorHashes, row.getString("error_hash"), jobs, first, last);
	}

	private static void add(Map<String, Value> values, @Nullable String value, long jobs, Instant first, Instant last) {
		if (value != null) {
			values.merge(value, new Value(value, jobs, first, last),
					(one, other) -> new Value(value, one.count() + other.count(),
							one.first().isBefore(other.first()) ? one.first() : other.first(),
							one.last().isAfter(other.last()) ? one.last() : other.last()));
		}
	}

	private static List<Value> most(Map<String, Value> values) {
		return values.values()
			.stream()
			.sorted(Comparator.comparingLong(Value::count).reversed().thenComparing(Value::value))
			.limit(DeadLetterFacets.VALUES)
			.toList();
	}

	/** Reads the newest failure of each hash, each by an index. */
	private Map<String, Sample> samples(List<Value> hashes) {
		Map<String, Sample> samples = new LinkedHashMap<>();
		if (hashes.isEmpty()) {
			return samples;
		}
		List<Object> parameters = new ArrayList<>();
		String sql = hashes.stream().map((hash) -> {
			DeadLetterConditions newest = new DeadLetterConditions(
					this.filter.stackHash(hash.value()).since(hash.last()).until(null));
			parameters.addAll(newest.values());
			return "(select error_hash, type, errors from ojs_job where " + newest.sql() + " limit 1)";
		}).collect(Collectors.joining(" union all "));
		RowCallbackHandler add = (row) -> {
			List<JobError> errors = this.database.codec().json().readErrors(row.getString("errors"));
			if (!errors.isEmpty()) {
				samples.put(Objects.requireNonNull(row.getString("error_hash")),
						sample(row.getString("type"), errors.get(errors.size() - 1)));
			}
		};
		this.database.jdbc().query(sql, DeadLetterConditions.setter(parameters), add);
		return samples;
	}

	private static Sample sample(String jobType, JobError error) {
		return new Sample(jobType, error.type(), ForeignText.beginning(error.message(), MESSAGE),
				error.backtrace().isEmpty() ? null : error.backtrace().get(0));
	}

}
