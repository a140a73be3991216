/**
 * Auto-configuration of the HTTP API, and its access control by Spring Security.
 */
@NullMarked
package io.ojs.boot.web;

import org.jspecify.annotations.NullMarked;
