package io.ojs.amqp.internal.connect;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.ojs.amqp.ConnectionEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who hears of an alarm, and on which thread.
 */
class AlarmTests {

	@Test
	@Timeout(20)
	void listenerThatWaitsForTheBrokerDoesNotHoldUpTheThreadThatReadsItsAnswers() throws Exception {
		CountDownLatch answered = new CountDownLatch(1);
		BlockingQueue<ConnectionEvent> heard = new LinkedBlockingQueue<>();
		Alarm alarm = new Alarm("publishing", new ConnectionEvents(List.of((event) -> {
			try {
				answered.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			heard.add(event);
		})), () -> {
		}, Clock.systemUTC());
		alarm.handleBlocked("low on memory");
		assertThat(alarm.isOn()).isTrue();
		Instant since = alarm.since();
		assertThat(since).isNotNull();
		alarm.handleBlocked("low on disk");
		assertThat(alarm.since()).as("it goes on").isSameAs(since);
		alarm.handleUnblocked();
		assertThat(alarm.isOn()).isFalse();
		assertThat(alarm.since()).isNull();
		answered.countDown();
		assertThat(heard.take()).isEqualTo(new ConnectionEvent.Blocked("publishing", "low on memory"));
		assertThat(heard.take()).isEqualTo(new ConnectionEvent.Blocked("publishing", "low on disk"));
		assertThat(heard.take()).isEqualTo(new ConnectionEvent.Unblocked("publishing"));
	}

}
