package io.ojs.boot.internal;

import java.util.EnumSet;
import java.util.Set;

import io.ojs.boot.HttpProperties;
import io.ojs.web.Access;
import io.ojs.web.AccessControl;

/**
 * Who may do what, with the rights that the properties give to every caller.
 *
 * @param control decides
 */
public record EffectiveAccess(AccessControl control) {

	public static EffectiveAccess of(HttpProperties properties, AccessControl known) {
		Set<Access> anonymous = anonymous(properties);
		return new EffectiveAccess((access, request) -> anonymous.contains(access) ? AccessControl.Decision.ALLOWED
				: known.decide(access, request));
	}

	/** The rights of every caller. */
	public static Set<Access> anonymous(HttpProperties properties) {
		Set<Access> anonymous = EnumSet.noneOf(Access.class);
		if (properties.allowAnonymous()) {
			anonymous.addAll(EnumSet.of(Access.READ, Access.WRITE, Access.ADMIN));
		}
		properties.anonymousRights().forEach((right) -> anonymous.add(Access.valueOf(right.name())));
		return anonymous;
	}

}
