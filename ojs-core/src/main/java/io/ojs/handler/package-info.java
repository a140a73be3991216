/**
 * Handlers: the methods that work jobs, their arguments, and their context.
 */
@NullMarked
package io.ojs.handler;

import org.jspecify.annotations.NullMarked;
