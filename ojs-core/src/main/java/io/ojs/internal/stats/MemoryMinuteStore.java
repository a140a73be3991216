package io.ojs.internal.stats;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keeps the numbers of this process in memory, for applications without a job store. The
 * oldest rows are dropped when there are too many.
 */
public final class MemoryMinuteStore implements MinuteStore {

	/** How long rows are kept, except those of the shortest step. */
	public static final Duration KEPT = Duration.ofDays(7);

	private static final int MOST = 20_000;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<Key, Kept> rows = new LinkedHashMap<>();

	@Override
	public void write(String process, List<MinuteRow> written) {
		this.lock.lock();
		try {
			written.forEach((row) -> this.rows.put(new Key(process, row.stepSeconds(), row.at(), row.group()),
					Kept.of(row.numbers())));
			if (this.rows.size() > MOST) {
				new ArrayList<>(this.rows.keySet()).stream()
					.sorted(Comparator.comparing(Key::at))
					.limit(this.rows.size() - MOST)
					.forEach(this.rows::remove);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void read(Query query, Consumer<MinuteRow> read) {
		this.lock.lock();
		try {
			this.rows.forEach((key, kept) -> {
				MinuteRow row = new MinuteRow(key.stepSeconds(), key.at(), key.group(), kept.numbers());
				if (query.matches(row)) {
					read.accept(row);
				}
			});
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public int prune(Instant before, Instant minutesBefore, int limit) {
		this.lock.lock();
		try {
			List<Key> old = this.rows.keySet()
				.stream()
				.filter((key) -> key.at().isBefore((key.stepSeconds() == STEPS.get(0)) ? minutesBefore : before))
				.limit(limit)
				.toList();
			old.forEach(this.rows::remove);
			return old.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Key(String process, int stepSeconds, Instant at, JobGroup group) {
	}

	/**
	 * Numbers in a form that takes less memory than arrays of which most is zero.
	 */
	private record Kept(List<Long> counts, String runs, String waits) {

		static Kept of(Numbers numbers) {
			List<Long> counts = new ArrayList<>();
			for (Numbers.Outcome outcome : Numbers.Outcome.values()) {
				counts.add(numbers.count(outcome));
			}
			return new Kept(List.copyOf(counts), numbers.runs().text(), numbers.waits().text());
		}

		Numbers numbers() {
			Numbers numbers = new Numbers();
			for (Numbers.Outcome outcome : Numbers.Outcome.values()) {
				numbers.add(outcome, this.counts.get(outcome.ordinal()));
			}
			numbers.runs().add(this.runs);
			numbers.waits().add(this.waits);
			return numbers;
		}

	}

}
