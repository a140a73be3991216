/**
 * Log output in which nothing that others wrote can pass for something else.
 */
@NullMarked
package io.ojs.log;

import org.jspecify.annotations.NullMarked;
