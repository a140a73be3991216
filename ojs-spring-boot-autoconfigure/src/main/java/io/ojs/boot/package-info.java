/**
 * OJS in a Spring Boot application: beans from {@code ojs.*} properties.
 */
@NullMarked
package io.ojs.boot;

import org.jspecify.annotations.NullMarked;
