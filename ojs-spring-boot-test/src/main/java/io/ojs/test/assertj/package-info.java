/**
 * Assertions about jobs, for AssertJ.
 */
@NullMarked
package io.ojs.test.assertj;

import org.jspecify.annotations.NullMarked;
