/**
 * Breaking connections to a real broker, and what its clients see of it.
 */
@NullMarked
package io.ojs.test.internal.fault;

import org.jspecify.annotations.NullMarked;
