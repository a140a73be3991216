package io.ojs.web.internal;

import java.io.IOException;
import java.io.UncheckedIOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers requests below {@code /ojs} that Spring MVC takes for uploads and cannot read.
 * Spring MVC reads uploads before it looks for a handler.
 */
public final class OjsExceptionResolver implements HandlerExceptionResolver, Ordered {

	private final OjsRequestHandler handler;

	public OjsExceptionResolver(OjsRequestHandler handler) {
		this.handler = handler;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE + 100;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object mapped, Exception failure) {
		if (!(failure instanceof MultipartException)
				|| !this.handler.handles(OjsRequestHandler.path(request).value())) {
			return null;
		}
		String contentType = request.getContentType();
		try {
			this.handler.refuse(HttpErrors.unsupportedMediaType((contentType != null) ? contentType : "multipart"),
					request, response);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new ModelAndView();
	}

}
