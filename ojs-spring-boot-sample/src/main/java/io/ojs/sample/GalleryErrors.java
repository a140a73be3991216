package io.ojs.sample;

import io.ojs.client.EnqueueException;
import io.ojs.store.StoreException;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.multipart.MultipartException;

/**
 * Reports errors as text that the page can show (RFC 9457). It comes before Spring Boot's
 * own advice, which handles some of the same exceptions.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class GalleryErrors {

	private final GalleryProperties properties;

	GalleryErrors(GalleryProperties properties) {
		this.properties = properties;
	}

	@ExceptionHandler
	ProblemDetail tooLarge(MaxUploadSizeExceededException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONTENT_TOO_LARGE,
				"The file is larger than %d MB.".formatted(this.properties.maxUpload().toMegabytes()));
	}

	@ExceptionHandler
	ProblemDetail unreadable(MultipartException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST,
				"The upload could not be read: " + ex.getMostSpecificCause().getMessage());
	}

	@ExceptionHandler({ EnqueueException.class, StoreException.class, TransactionException.class,
			DataAccessResourceFailureException.class })
	ProblemDetail databaseAway(Exception ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"The database did not do its part. " + ex.getMessage());
	}

}
