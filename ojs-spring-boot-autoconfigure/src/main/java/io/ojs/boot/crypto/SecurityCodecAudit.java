package io.ojs.boot.crypto;

import io.ojs.internal.log.SafeLogger;
import io.ojs.job.internal.ForeignText;
import io.ojs.web.CodecAccess;
import io.ojs.web.CodecAudit;
import org.slf4j.Logger;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Records each encoding and decoding of arguments with its caller, in the log and as an
 * application event.
 */
final class SecurityCodecAudit implements CodecAudit {

	/** Has a name of its own, so that an application can log it to another place. */
	private static final Logger logger = SafeLogger.of("io.ojs.web.codec.audit");

	private final ApplicationEventPublisher publisher;

	SecurityCodecAudit(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void accessed(CodecAccess access) {
		Authentication caller = SecurityContextHolder.getContext().getAuthentication();
		CodecAccess known = access.caller((caller != null) ? caller.getName() : null);
		logger.info("{}: {} of {} payloads by the keys {} in request '{}' {}{}",
				ForeignText.escape(String.valueOf(known.caller())), known.operation(), known.payloads(),
				ForeignText.escape(known.keyIds().toString()), known.requestId(),
				known.succeeded() ? "done" : "refused", told(known));
		this.publisher.publishEvent(known);
	}

	/** What the caller says of its request. */
	private static String told(CodecAccess access) {
		String job = (access.jobId() != null) ? ", job_id=" + access.jobId() : "";
		String reason = access.reason();
		return (reason != null) ? "%s, reason=\"%s\"".formatted(job, ForeignText.escape(reason)) : job;
	}

}
