package io.ojs.jdbc.internal.admin;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * A condition for labels of jobs: that one is a text, or begins with it.
 *
 * @param text the text
 * @param isPrefix whether labels that begin with the text are meant, too
 * @param parameter the name of the parameter with the text
 */
record LabelMatch(String text, boolean isPrefix, String parameter) {

	/**
	 * Reads a label of the criteria: an asterisk at its end stands for any rest, and for
	 * itself behind a backslash.
	 */
	static LabelMatch of(String label, int number) {
		String parameter = "label" + number;
		if (label.endsWith("\\*")) {
			return new LabelMatch(label.substring(0, label.length() - 2) + "*", false, parameter);
		}
		boolean isPrefix = label.endsWith("*");
		return new LabelMatch(isPrefix ? label.substring(0, label.length() - 1) : label, isPrefix, parameter);
	}

	/**
	 * Returns the first text behind all that begin with another one. PostgreSQL compares
	 * code points, and H2 UTF-16 units, which agree on neighbours.
	 */
	private static String end(String prefix) {
		int last = prefix.codePointBefore(prefix.length());
		String rest = prefix.substring(0, prefix.length() - Character.charCount(last));
		if ((last == Character.MAX_VALUE || last == Character.MAX_CODE_POINT) && !rest.isEmpty()) {
			return end(rest);
		}
		return rest
				+ Character.toString((last + 1 == Character.MIN_SURROGATE) ? Character.MAX_SURROGATE + 1 : last + 1);
	}

	/** Sets the parameters of the conditions. */
	void addTo(MapSqlParameterSource parameters) {
		parameters.addValue(this.parameter, this.text).addValue(this.parameter + "_end", end(this.text));
	}

	/** Returns the condition on rows of labels that an index serves. */
	String range() {
		return this.isPrefix ? "label >= :%1$s and label < :%1$s_end".formatted(this.parameter)
				: "label = :" + this.parameter;
	}

	/**
	 * Returns the ids of the jobs, in an index or sorted. Those to be sorted are read
	 * first: a plan for unknown beginnings expects many, and reads the labels of all jobs
	 * in the order of their ids.
	 */
	IdSource source() {
		return this.isPrefix
				? new IdSource("(select distinct job_id from (select job_id from ojs_job_label where " + range()
						+ " offset 0 rows) as r) as p", "job_id", "", 1)
				: new IdSource("ojs_job_label", "job_id", " and " + range(), 1);
	}

	/**
	 * Returns the condition on a job. A count cannot become a join that reads all jobs
	 * with the label, and a position no range of labels that does.
	 */
	String ofJob() {
		return " and (select count(*) from ojs_job_label x where x.job_id = id and "
				+ (this.isPrefix ? "position(:%s in x.label) = 1) > 0" : "x.label = :%s) = 1")
					.formatted(this.parameter);
	}

}
