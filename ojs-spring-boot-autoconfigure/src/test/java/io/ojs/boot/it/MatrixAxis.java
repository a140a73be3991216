package io.ojs.boot.it;

import java.util.List;
import java.util.function.Supplier;

/**
 * The fifteen extensions of the matrix, as OJS Extension Interactions §3 abbreviates
 * them.
 */
enum MatrixAxis {

	/** Retry policy. */
	RET(MatrixDelivery.Retries::new),
	/** Unique jobs. */
	UNQ(MatrixDelivery.UniqueJobs::new),
	/** Workflows. */
	WF(MatrixBegins.Chains::new),
	/** Cron. */
	CRN(MatrixBegins.Crons::new),
	/** Events. */
	EVT(MatrixSight.Events::new),
	/** Middleware. */
	MW(MatrixContents.Middleware::new),
	/** Rate limiting. */
	RL(MatrixDelivery.RateLimits::new),
	/** Backpressure. */
	BP(MatrixDelivery.Backpressure::new),
	/** Dead letter queue. */
	DLQ(MatrixDelivery.DeadLetterQueue::new),
	/** Graceful shutdown. */
	GS(MatrixBegins.GracefulShutdown::new),
	/** Encryption. */
	ENC(MatrixContents.Encryption::new),
	/** Multi-tenancy. */
	MT(MatrixContents.Tenancy::new),
	/** Observability. */
	OBS(MatrixSight.Observability::new),
	/** Job versioning. */
	VER(MatrixContents.Versions::new),
	/** Framework adapters. */
	FA(MatrixBegins.Transactions::new);

	/**
	 * In which order they have jobs begin: a tenant begins a transaction, in which a cron
	 * is registered, which starts a workflow.
	 */
	static final List<MatrixAxis> INNER_TO_OUTER = List.of(WF, CRN, FA, MT);

	/** What the document marks as more than compatible. */
	static final List<String> MARKED = List.of("RET+RL", "RET+DLQ", "UNQ+CRN", "UNQ+ENC", "WF+GS", "WF+VER", "RL+MT",
			"BP+MT", "DLQ+MT", "ENC+OBS", "ENC+FA");

	private final Supplier<MatrixExtension> extension;

	MatrixAxis(Supplier<MatrixExtension> extension) {
		this.extension = extension;
	}

	MatrixExtension extension() {
		return this.extension.get();
	}

}
