package io.ojs.webhook;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Posts events. A bean of this type replaces the one that is there, such as by one that
 * goes through a proxy; it has to see by itself to where it may connect.
 */
@FunctionalInterface
public interface WebhookSender {

	/**
	 * Posts something, and follows no redirect.
	 * @param url where to
	 * @param headers its headers
	 * @param body its body
	 * @param timeout how long all of it may take
	 * @return what the receiver answers
	 * @throws WebhookFailedException if it does not answer
	 * @throws InterruptedException if the thread was told to end
	 */
	WebhookReply post(URI url, Map<String, String> headers, byte[] body, Duration timeout) throws InterruptedException;

}
