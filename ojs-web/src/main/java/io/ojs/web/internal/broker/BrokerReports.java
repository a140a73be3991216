package io.ojs.web.internal.broker;

/**
 * Reports on the broker.
 */
@FunctionalInterface
public interface BrokerReports {

	/** Returns a report, at once if there is a recent one. */
	BrokerReport report();

}
