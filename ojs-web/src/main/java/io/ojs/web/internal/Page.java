package io.ojs.web.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.web.HttpFailure;
import org.jspecify.annotations.Nullable;

/**
 * The part of a list that a request asks for: {@code limit} and {@code offset} or
 * {@code cursor} (OJS HTTP Binding §17), or {@code page} and {@code per_page} (OJS Admin
 * API §7.1).
 *
 * @param offset how many entries to skip
 * @param limit how many entries at most
 * @param numbered whether pages are numbered
 */
public record Page(long offset, int limit, boolean numbered) {

	private static final int MAX_PER_PAGE = 100;

	private static final int PER_PAGE = 20;

	/**
	 * The largest offset. With a larger one, a database would have to read too many rows.
	 */
	private static final long MAX_OFFSET = 1_000_000;

	public static Page of(HttpCall call) {
		HttpQuery query = call.query();
		Page page = byOffset(call);
		long offset = page.offset();
		long cursor = query.number("cursor", offset, 0, MAX_OFFSET);
		if (query.string("cursor") != null && query.string("offset") != null) {
			throw HttpFailure.invalid("offset", offset, "must not stand beside 'cursor'");
		}
		return new Page(cursor, page.limit(), false);
	}

	/** Reads {@code limit} and {@code offset} alone. */
	public static Page byOffset(HttpCall call) {
		return new Page(call.query().number("offset", 0, 0, MAX_OFFSET), call.query().limit(), false);
	}

	public static Page numbered(HttpCall call) {
		HttpQuery query = call.query();
		int perPage = (int) query.number("per_page", PER_PAGE, 1, MAX_PER_PAGE);
		long page = query.number("page", 1, 1, MAX_OFFSET / perPage);
		return new Page((page - 1) * perPage, perPage, true);
	}

	/** Returns the part of a list that is in memory. */
	public <T> List<T> of(List<T> all) {
		int from = (int) Math.min(this.offset, all.size());
		return all.subList(from, Math.min(from + this.limit, all.size()));
	}

	/**
	 * Returns the body of an answer with a part of a list.
	 * @param total how many entries there are in all
	 */
	public Map<String, @Nullable Object> body(String name, List<?> items, long total) {
		return body(name, items, this.offset + items.size() < total, total);
	}

	/**
	 * Returns the body of an answer with a part of a list that was not counted.
	 * @param found the part, and one entry more if there are more
	 */
	public Map<String, @Nullable Object> body(String name, List<?> found) {
		boolean more = found.size() > this.limit;
		return body(name, more ? found.subList(0, this.limit) : found, more, null);
	}

	private Map<String, @Nullable Object> body(String name, List<?> items, boolean more, @Nullable Long total) {
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		if (total != null) {
			pagination.put("total", total);
		}
		if (this.numbered) {
			pagination.put("page", this.offset / this.limit + 1);
			pagination.put("per_page", this.limit);
		}
		else {
			pagination.put("limit", this.limit);
			pagination.put("offset", this.offset);
		}
		pagination.put("has_more", more);
		if (more && !this.numbered) {
			pagination.put("next_cursor", Long.toString(this.offset + items.size()));
		}
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(name, items);
		body.put("pagination", pagination);
		return body;
	}

}
