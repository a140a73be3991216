package io.ojs.amqp.internal.control;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.publish.PatientPublisher;
import io.ojs.amqp.internal.publish.PublishOutcome;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.client.ControlException;
import io.ojs.client.internal.JobControl;
import io.ojs.job.Job;
import io.ojs.job.UndecodableJobException;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Sends requests over the control queues (AMQP binding §5.6, §5.8).
 */
public final class AmqpJobControl implements JobControl {

	private final TopologyDeclarer declarer;

	private final PatientPublisher publisher;

	private final ControlMessages messages;

	private final RabbitTemplate questions;

	public AmqpJobControl(TopologyDeclarer declarer, PatientPublisher publisher, ControlMessages messages,
			RabbitTemplate questions, Duration patience) {
		this.declarer = declarer;
		this.publisher = publisher;
		this.messages = messages;
		this.questions = questions;
		questions.setReplyTimeout(patience.toMillis());
	}

	@Override
	public void cancel(String queue, String jobId) {
		String what = "Cancelling job %s of queue '%s'".formatted(jobId, queue);
		OjsNaming naming = ensure(what, queue);
		PublishOutcome outcome = this.publisher
			.publishAll(List.of(this.messages.cancel(naming.directExchange(), naming.controlQueue(queue), jobId)))
			.get(0);
		if (!(outcome instanceof PublishOutcome.Confirmed)) {
			throw new ControlException(what + " was not confirmed by the broker: " + outcome, null);
		}
	}

	@Override
	public Optional<Job> find(String queue, String jobId) {
		String what = "Asking about job %s of queue '%s'".formatted(jobId, queue);
		OjsNaming naming = ensure(what, queue);
		OutgoingMessage request = this.messages.info("", "", jobId, "", "");
		MessageProperties properties = new MessageProperties();
		properties.setType(ControlMessages.INFO);
		properties.setContentType("application/json");
		properties.setAppId("ojs");
		properties.setDeliveryMode(MessageDeliveryMode.NON_PERSISTENT);
		properties.setExpiration(request.properties().getExpiration());
		try {
			this.publisher.awaitConnection();
			Message answer = this.questions.sendAndReceive(naming.directExchange(), naming.controlQueue(queue),
					new Message(request.body(), properties));
			// No answer means that no worker listens, so that no worker runs the job.
			return (answer != null) ? Optional.ofNullable(this.messages.job(answer.getBody())) : Optional.empty();
		}
		catch (AmqpException | UndecodableJobException ex) {
			throw new ControlException(what + " failed: " + ex.getMessage(), ex);
		}
	}

	private OjsNaming ensure(String what, String queue) {
		try {
			this.declarer.ensureControl(queue);
			return this.declarer.topology().naming();
		}
		catch (AmqpException | DeclarationRefusedException ex) {
			throw new ControlException(what + " failed: " + ex.getMessage(), ex);
		}
	}

}
