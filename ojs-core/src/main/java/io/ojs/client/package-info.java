/**
 * The API by which applications enqueue jobs, and what implements it.
 */
@NullMarked
package io.ojs.client;

import org.jspecify.annotations.NullMarked;
