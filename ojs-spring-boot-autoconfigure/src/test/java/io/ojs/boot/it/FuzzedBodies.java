package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.ojs.internal.json.JsonObjects;
import org.jspecify.annotations.Nullable;

/**
 * JSON that endpoints want, and what is one thought away from it; the same for the same
 * seed.
 */
final class FuzzedBodies {

	private static final String JOB = "{'type':'fuzz.job','args':[1,'a',{'k':null}],'id':'$id','meta':{'m':1},"
			+ "'options':{'queue':'$queue','priority':5,'timeout_ms':2000,'scheduled_at':'+PT0.1S',"
			+ "'expires_at':'+PT1H','retry':{'max_attempts':2,'initial_interval':'PT0.1S','backoff_coefficient':2.0,"
			+ "'max_interval':'PT1S','jitter':true,'non_retryable_errors':['bad.*'],'on_exhaustion':'discard'},"
			+ "'unique':{'keys':['type','args'],'args_keys':['k'],'period':'PT1S','states':['available'],"
			+ "'on_conflict':'ignore'},'tags':['t'],'visibility_timeout_ms':1000,'rate_limit':{'key':'r',"
			+ "'concurrency':5,'rate':{'limit':100,'period':'PT1S'},'on_limit':'wait'},'metadata':{'x':1},"
			+ "'pending':false},'schema':'urn:x','version':2}";

	private static final String SMALL = "{'type':'fuzz.job','args':[],'options':{'queue':'$queue'}}";

	private static final String FILTER = "{'filter':{'queue':'$queue','type':'fuzz.*','since':'2020-01-01T00:00:00Z',"
			+ "'until':'2099-01-01T00:00:00Z','ids':['$job']},'confirm':true";

	private static final String CONFIG = "{'max_size':1000,'max_size_bytes':1000000,'overflow_policy':'reject',"
			+ "'concurrency':5,'rate_limit':{'limit':1000,'period':'PT1S'},'visibility_timeout':30,"
			+ "'default_timeout':60,'default_retry':{'max_attempts':2},'retention':{'completed':'P1D',"
			+ "'discarded':'P1D','cancelled':'P1D'},'dead_letter_queue':'letters','dead_letter_max_size':100,"
			+ "'dead_letter_ttl':'P1D','allowed_job_types':['fuzz.*']}";

	/** By the end of the path; the longest one that fits. */
	private static final Map<String, List<String>> BODIES = Map.ofEntries(Map.entry("/jobs", List.of(JOB, SMALL)),
			Map.entry("/jobs/batch", List.of("{'jobs':[" + JOB + "," + SMALL + "]}")),
			Map.entry("/fetch",
					List.of("{'queues':['$queue','q1'],'count':3,'worker_id':'$worker','visibility_timeout_ms':2000}")),
			Map.entry("/ack",
					List.of("{'job_id':'$job','worker_id':'$worker','attempt':1,'result':{'r':1}}",
							"{'job_id':'$job','result':[]}")),
			Map.entry("/nack",
					List.of("{'job_id':'$job','error':{'code':'c','type':'t','message':'m','retryable':true,"
							+ "'backtrace':['a'],'details':{'error_class':'X'}}}", "{'job_id':'$job','requeue':true}",
							"{'job_id':'$job','error':{'message':'m'}}")),
			Map.entry("/heartbeat", List.of("$beat")), Map.entry("/beat", List.of("$beat")),
			Map.entry("/progress", List.of("{'progress':0.5,'message':'m','data':{'a':1},'worker_id':'$worker'}")),
			Map.entry("/queues", List.of("{'name':'$queue','config':" + CONFIG + "}")),
			Map.entry("/config",
					List.of(CONFIG,
							"{'backpressure':{'max_depth':10000,'max_bytes':1000000,"
									+ "'strategy':'reject','warning_threshold':0.5}}")),
			Map.entry("/purge",
					List.of("{'states':['completed','available'],'older_than':'2099-01-01T00:00:00Z','confirm':true}")),
			Map.entry("/queues/{name}/jobs", List.of("{'states':['cancelled'],'confirm':true}")),
			Map.entry("/queues/{name}", List.of("{'strategy':'move','target_queue':'q1'}", "{'strategy':'discard'}")),
			Map.entry("/dead-letter/{id}/retry",
					List.of("{'queue':'$queue','priority':1,'args':[1],'meta':{'a':1},'retry':{'max_attempts':2}}")),
			Map.entry("/dead-letter/retry",
					List.of(FILTER.replace("'ids'", "'error_type':'t','ids'")
							+ ",'dry_run':false,'limit':10,'rate':100,'overrides':{'priority':1}}")),
			Map.entry("/dead-letter", List.of("{'confirm':true,'older_than':'2020-01-01T00:00:00Z','filter':{}}")),
			Map.entry("/bulk/retry", List.of(FILTER + "}")), Map.entry("/bulk/cancel", List.of(FILTER + "}")),
			Map.entry("/bulk/delete", List.of(FILTER.replace("'ids'", "'states':['completed'],'ids'") + "}")),
			Map.entry("/cron", List.of("$cron")), Map.entry("/cron/{name}", List.of("$cron")),
			Map.entry("/workflows",
					List.of("{'type':'chain','name':'n','meta':{'a':1},'steps':[" + SMALL + "," + JOB + "]}",
							"{'type':'group','jobs':[" + SMALL + ",{'type':'chain','steps':[" + SMALL + "]}]}",
							"{'type':'batch','jobs':[" + SMALL + "],'callbacks':{'on_complete':" + SMALL
									+ ",'on_failure':" + SMALL + "}}")));

	private static final String BEAT = "{'worker_id':'$worker','state':'running','active_jobs':['$job'],"
			+ "'visibility_timeout_ms':1000,'queues':['$queue'],'hostname':'h','pid':1,'concurrency':1,'labels':['l'],"
			+ "'started_at':'2026-01-01T00:00:00Z','version':'1'}";

	private static final String CRON = "{'name':'$cronName','expression':'*/5 * * * *','timezone':'Europe/Berlin',"
			+ "'overlap_policy':'skip','enabled':true,'description':'d','job_template':{'type':'fuzz.cron','args':[],"
			+ "'options':{'queue':'$queue'}}}";

	private static final List<String> VALUES = List.of("null", "true", "0", "-1", "1", "101", "2147483648",
			"9223372036854775807", "-9223372036854775808", "1e400", "1e999999999", "-1e-999999999", "1".repeat(40),
			"9".repeat(999), "9".repeat(1001), "0.1", "-0.0", "1.0", "\"\"", "\" \"", "\"a\"", "\"\\u0000\"",
			"\"a\\u0000b\"", "\"\\ud800\"", "\"x\\udc00y\"", "\"\\u202e\\u0007\"", "\"é\uD83D\uDE00\"",
			"\"" + "x".repeat(129) + "\"", "\"" + "x".repeat(300) + "\"", "\"" + "é".repeat(5000) + "\"", "[]", "{}",
			"[[]]", "[null]", "[\"a\",1]", "[\"a\",\"a\"]", "[\"\\ud800\"]", "[\"a\\u0000\"]", "{\"a\":null}",
			"{\"\":1}", "{\"a\\u0000\":1}", "{\"\\ud800\":1}", "{\"limit\":0}", "\"2026-01-01T00:00:00Z\"",
			"\"9999-12-31T23:59:59.999999999Z\"", "\"0000-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59-18:00\"",
			"\"2026-01-01\"", "\"+PT5S\"", "\"+P9999999999D\"", "\"+PT-5S\"", "\"PT0S\"", "\"-PT1S\"",
			"\"PT9999999999999H\"", "\"P106751991167300D\"", "\"P1Y\"", "\"PT0.000000001S\"", "\"NaN\"", "\"_default\"",
			"\"dlx.x\"", "\"../x\"", "\"%00\"", "\"'; drop table ojs_job; --\"", "\"*\"", "\"**.*\"", "\"${jndi:x}\"",
			"\"019461a8-0bad-7000-8000-000000000000\"", "\"available\"", "\"move\"", "\"batch\"", "\"@every 1s\"",
			"\"0 0 30 2 *\"", "\"* * * * * *\"", "[\"available\",\"nonsense\"]", nested("[", "]", 90),
			nested("{\"a\":", "}", 90), nested("[", "]", 600), nested("[", "]", 5000));

	private final Random random;

	private final JsonObjects objects = new JsonObjects();

	FuzzedBodies(Random random) {
		this.random = random;
	}

	private static String nested(String open, String close, int depth) {
		return open.repeat(depth) + "1" + close.repeat(depth);
	}

	/** What an endpoint wants, with variables such as {@code $job}. */
	String valid(String path) {
		String found = BODIES.keySet()
			.stream()
			.filter(path::endsWith)
			.max((a, b) -> Integer.compare(a.length(), b.length()))
			.orElse("");
		String body = found.isEmpty() ? "{}" : pick(BODIES.get(found));
		return body.replace("$beat", BEAT).replace("$cronName", "$name").replace("$cron", CRON).replace('\'', '"');
	}

	/** Something like a body, of which one field is another. */
	String mutated(String body) {
		Map<String, @Nullable Object> object = this.objects.read(body.getBytes(StandardCharsets.UTF_8));
		List<Place> places = new ArrayList<>();
		collect(object, places);
		if (places.isEmpty()) {
			return "{\"%s\":%s}".formatted(pick(List.of("a", "confirm", "", "\\u0000", "\\ud800")), value());
		}
		Place place = pick(places);
		switch (this.random.nextInt(8)) {
			case 0 -> place.remove();
			case 1 -> place.put(new Token(value() + (place.isField() ? ",\"%s\":1".formatted(place.key()) : "")));
			case 2 ->
				place.add(pick(List.of("unknown", "", "\\u0000", "\\ud800", "x".repeat(300))), new Token(value()));
			default -> place.put(new Token(value()));
		}
		StringBuilder text = new StringBuilder();
		write(object, text);
		return text.toString();
	}

	String value() {
		return pick(VALUES);
	}

	<T> T pick(List<T> from) {
		return from.get(this.random.nextInt(from.size()));
	}

	@SuppressWarnings("unchecked")
	private static void collect(@Nullable Object value, List<Place> places) {
		if (value instanceof Map<?, ?> map) {
			map.forEach((key, child) -> {
				places.add(new Place((Map<Object, @Nullable Object>) map, key));
				collect(child, places);
			});
		}
		else if (value instanceof List<?> list) {
			for (int i = 0; i < list.size(); i++) {
				places.add(new Place((List<@Nullable Object>) list, i));
				collect(list.get(i), places);
			}
		}
	}

	private void write(@Nullable Object value, StringBuilder text) {
		if (value instanceof Map<?, ?> map) {
			text.append('{');
			map.forEach((key, child) -> {
				text.append((text.charAt(text.length() - 1) == '{') ? "\"" : ",\"").append(key).append("\":");
				write(child, text);
			});
			text.append('}');
		}
		else if (value instanceof List<?> list) {
			text.append('[');
			for (int i = 0; i < list.size(); i++) {
				text.append((i > 0) ? "," : "");
				write(list.get(i), text);
			}
			text.append(']');
		}
		else if (value instanceof String string) {
			text.append('"').append(string).append('"');
		}
		else {
			text.append(value);
		}
	}

	/**
	 * JSON as it is to be sent.
	 */
	private record Token(String json) {

		@Override
		public String toString() {
			return this.json;
		}

	}

	/**
	 * Where something stands.
	 */
	private record Place(Object holder, Object key) {

		boolean isField() {
			return this.holder instanceof Map;
		}

		@SuppressWarnings("unchecked")
		void put(Object value) {
			if (this.holder instanceof Map<?, ?> map) {
				((Map<Object, Object>) map).put(this.key, value);
			}
			else {
				((List<Object>) this.holder).set((Integer) this.key, value);
			}
		}

		@SuppressWarnings("unchecked")
		void add(String name, Object value) {
			if (this.holder instanceof Map<?, ?> map) {
				((Map<Object, Object>) map).put(name, value);
			}
			else {
				((List<Object>) this.holder).add(value);
			}
		}

		void remove() {
			if (this.holder instanceof Map<?, ?> map) {
				map.remove(this.key);
			}
			else {
				((List<?>) this.holder).remove((int) (Integer) this.key);
			}
		}

	}

}
