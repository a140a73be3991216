/**
 * Spring support for tests and locally run applications: a broker for their context.
 */
@NullMarked
package io.ojs.test;

import org.jspecify.annotations.NullMarked;
