package io.ojs;

/**
 * An exception that names the field of a request that breaks a rule.
 */
public interface InvalidField {

	/**
	 * The name of the field that breaks the rule.
	 * @return its name in JSON, with a path for nested ones
	 */
	String field();

}
