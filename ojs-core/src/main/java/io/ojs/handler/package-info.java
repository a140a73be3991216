/**
 * Handlers: the methods that work jobs, their context, and the exceptions by which they
 * end an attempt.
 */
@NullMarked
package io.ojs.handler;

import org.jspecify.annotations.NullMarked;
