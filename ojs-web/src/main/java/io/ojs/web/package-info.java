/**
 * Who may call which endpoint of the HTTP API, and for which tenant.
 */
@NullMarked
package io.ojs.web;

import org.jspecify.annotations.NullMarked;
