package io.ojs.internal.engine;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.NewJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What only a store in memory has. Contracts that it shares with databases are held
 * beside those.
 */
class MemoryJobStoreTests {

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private static final String OTHER = "019539a4-b68c-7def-8000-1a2b3c4d5e70";

	private final List<JobTransition> told = new ArrayList<>();

	private MemoryJobStore store = store(new JsonJobCodec());

	private MemoryJobStore store(JobCodec codec) {
		return new MemoryJobStore(codec, Clock.fixed(NOW, ZoneOffset.UTC), this.told::add);
	}

	private static NewJob newJob(JobCodec codec, String id, JobState state) {
		Job job = Job.builder(id, "desk.add", "desk").args(List.of("ä")).state(state).build();
		return new NewJob(new EncodedJob(job, codec.encode(job), 3), Map.of(), null, false);
	}

	private void insert(String id, JobState state) {
		this.store.insert(List.of(newJob(new JsonJobCodec(), id, state)));
	}

	@Test
	void transactionThatFailsHasNotHappened() {
		insert(ID, JobState.AVAILABLE);
		int events = this.store.events().size();
		assertThatIllegalStateException().isThrownBy(() -> this.store.write("both", () -> {
			this.store.cancel(ID, NOW);
			insert(OTHER, JobState.AVAILABLE);
			throw new IllegalStateException("no");
		}));
		assertThat(this.store.state(ID)).contains(JobState.AVAILABLE);
		assertThat(this.store.state(OTHER)).isEmpty();
		assertThat(this.store.events()).hasSize(events);
		assertThat(this.told).isEmpty();
	}

	@Test
	void transactionIsUndoneWhateverCameSince() {
		insert(ID, JobState.AVAILABLE);
		MemoryJobStore.Written<Boolean> written = this.store.writeUndoable(() -> {
			this.store.cancel(ID, NOW);
			return true;
		});
		insert(OTHER, JobState.AVAILABLE);
		assertThat(written.told()).extracting(JobTransition::transition).containsExactly(Transition.CANCEL);
		assertThat(this.told).as("it is the caller who tells").isEmpty();
		written.undo().run();
		assertThat(this.store.state(ID)).contains(JobState.AVAILABLE);
		assertThat(this.store.state(OTHER)).contains(JobState.AVAILABLE);
		assertThat(this.store.events()).extracting(FeedEvent::type).containsExactly("job.enqueued", "job.enqueued");
	}

	@Test
	void listenerIsToldOnceTheOutermostTransactionIsOver() {
		insert(ID, JobState.AVAILABLE);
		this.store.write("nested", () -> {
			this.store.cancel(ID, NOW);
			assertThat(this.told).isEmpty();
			return true;
		});
		assertThat(this.told).hasSize(1);
	}

	@Test
	void envelopeNeedNotBeText() {
		JobCodec binary = new BinaryCodec();
		this.store = store(binary);
		NewJob job = newJob(binary, ID, JobState.AVAILABLE);
		this.store.insert(List.of(job));
		assertThat(this.store.sent(ID))
			.hasValueSatisfying((sent) -> assertThat(sent.body()).isEqualTo(job.encoded().body()));
		assertThat(this.store.find(ID)).map(StoredJob::job).map(Job::args).contains(List.of("ä"));
	}

	@Test
	void nextIsTheJobThatIsDueFirst() {
		insert(ID, JobState.PENDING);
		assertThat(this.store.next(null, (row) -> true)).isEmpty();
		assertThat(this.store.turn(ID)).isEmpty();
		insert(OTHER, JobState.AVAILABLE);
		assertThat(this.store.next(NOW.minusSeconds(1), (row) -> true)).isEmpty();
		assertThat(this.store.next(NOW, (row) -> row.type.equals("other"))).isEmpty();
		assertThat(this.store.next(NOW, (row) -> true)).map((next) -> next.job().id()).contains(OTHER);
		assertThat(this.store.turn(OTHER)).contains(NOW);
	}

	/**
	 * Writes what is no text.
	 */
	private static final class BinaryCodec implements JobCodec {

		private final JsonJobCodec json = new JsonJobCodec();

		@Override
		public byte[] encode(Job job) {
			return flipped(this.json.encode(job));
		}

		@Override
		public Job decode(byte[] body) {
			return this.json.decode(flipped(body));
		}

		@Override
		public String contentType() {
			return "application/octet-stream";
		}

		private static byte[] flipped(byte[] bytes) {
			byte[] flipped = bytes.clone();
			for (int i = 0; i < flipped.length; i++) {
				flipped[i] ^= (byte) 0xFF;
			}
			return flipped;
		}

	}

}
