package io.ojs;

/**
 * An exception that knows which field of a request breaks a rule.
 */
public interface InvalidField {

	/**
	 * The field that is wrong.
	 * @return its name in JSON, with a path for nested ones
	 */
	String field();

}
