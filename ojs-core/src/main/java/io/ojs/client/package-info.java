/**
 * The API by which applications enqueue jobs, and its implementation.
 */
@NullMarked
package io.ojs.client;

import org.jspecify.annotations.NullMarked;
