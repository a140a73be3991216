package io.ojs.jdbc.internal.attempt;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.ojs.internal.engine.AttemptEngine;
import io.ojs.jdbc.internal.JdbcJobTable;
import io.ojs.jdbc.internal.PlainRuns;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs and records how runs end, in a database.
 */
public final class JdbcAttemptStore implements AttemptStore {

	private final StoreDatabase database;

	private final PlainRuns plain;

	private final AttemptEngine engine;

	public JdbcAttemptStore(StoreDatabase database) {
		this.database = database;
		this.plain = database.plainRuns();
		this.engine = new AttemptEngine(new JdbcJobTable(database));
	}

	@Override
	public List<@Nullable Claim> claim(List<ClaimRequest> requests, String worker, Instant now, boolean takeOver) {
		if (requests.isEmpty()) {
			return List.of();
		}
		// Loads the id of the store: code that publishes a message of these jobs again
		// needs it.
		this.database.id();
		Map<String, Claim> claims = this.database.read("claim jobs", () -> this.plain.begin(requests, worker, now));
		List<ClaimRequest> others = requests.stream()
			.filter((request) -> !claims.containsKey(request.encoded().job().id()))
			.toList();
		if (!others.isEmpty()) {
			List<@Nullable Claim> found = this.engine.claim(others, worker, now, takeOver);
			for (int i = 0; i < others.size(); i++) {
				Claim claim = found.get(i);
				if (claim != null) {
					claims.put(others.get(i).encoded().job().id(), claim);
				}
			}
		}
		List<@Nullable Claim> answers = new ArrayList<>(requests.size());
		requests.forEach((request) -> answers.add(claims.get(request.encoded().job().id())));
		return answers;
	}

	@Override
	public List<@Nullable Boolean> settle(List<? extends Outcome> outcomes, Instant now) {
		Set<Lease> plain = this.database.read("record how jobs ended", () -> this.plain.complete(outcomes, now));
		List<? extends Outcome> others = outcomes.stream()
			.filter((outcome) -> !plain.contains(outcome.lease()))
			.toList();
		Map<Lease, @Nullable Boolean> valid = new HashMap<>();
		plain.forEach((lease) -> valid.put(lease, true));
		if (!others.isEmpty()) {
			try {
				List<@Nullable Boolean> settled = this.engine.settle(others, now);
				for (int i = 0; i < others.size(); i++) {
					valid.put(others.get(i).lease(), settled.get(i));
				}
			}
			catch (RuntimeException ex) {
				this.plain.unanswered(plain);
				throw ex;
			}
		}
		List<@Nullable Boolean> answers = new ArrayList<>(outcomes.size());
		outcomes.forEach((outcome) -> answers.add(valid.get(outcome.lease())));
		return answers;
	}

	@Override
	public boolean settle(Outcome outcome, Instant now) {
		return this.engine.settle(outcome, now);
	}

	@Override
	public <T> T telling(Supplier<T> work) {
		return this.engine.telling(work);
	}

	@Override
	public List<StoredJob> reap(Instant now, int limit) {
		return this.engine.reap(now, limit);
	}

}
