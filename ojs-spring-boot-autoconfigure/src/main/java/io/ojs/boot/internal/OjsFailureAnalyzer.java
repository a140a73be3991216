package io.ojs.boot.internal;

import io.ojs.OjsException;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.client.EnqueueException;
import io.ojs.handler.InvalidJobHandlerException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains why an application did not start, without a stack trace.
 */
public final class OjsFailureAnalyzer extends AbstractFailureAnalyzer<OjsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, OjsException cause) {
		return new FailureAnalysis(cause.getMessage(), action(cause), cause);
	}

	private static String action(OjsException cause) {
		if (cause instanceof InvalidConfigurationException configuration) {
			return configuration.fix();
		}
		if (cause instanceof InvalidJobHandlerException handler) {
			return handler.fix();
		}
		if (cause instanceof EnqueueException) {
			return "The application enqueued this job while it started. Fix the cause that the description names, or "
					+ "enqueue the job later, or catch the exception.";
		}
		return "Fix the cause that the description names.";
	}

}
